import type { Test } from "tap";
import { checkedPassFile } from "../support/apple-file.ts";
import { signIn } from "../support/client.ts";
import { finished, issuePass, sampleRequest } from "../support/passes.ts";
import { metricsAnywhere, startPasswright } from "../support/passwright.ts";
import { googleState, rootCertificate } from "../support/sandbox.ts";

/** From POST /messages to what the wallets hold. */
export async function silentDelivery(t: Test) {
  const service = await startPasswright(t, { settings: metricsAnywhere });
  const client = await signIn(service.announced.base_url, service.announced);
  const pass = await issuePass(client, await sampleRequest(client, service.announced.template_id));

  const sent = [];
  for (const number of [1, 2, 3, 4, 5]) {
    const body = { pass_id: pass.json.id, header: `Number ${number}`, body: "The café is open." };
    const accepted = await client.post("/api/v1/messages", body);
    const job = await finished(client, accepted);
    sent.push({ job: job.json, message: (await client.get(`/api/v1/messages/${accepted.json.id}`)).json });
  }
  t.strictSame(
    sent.map(({ message }) => message.status),
    ["sent", "sent", "sent", "sent", "sent"],
    "the wallet's cap of three notifications is no error of the sender",
  );
  for (const [i, { job }] of sent.entries()) {
    t.match(job, { type: "message.send", status: "completed", error: null, progress: { done: 2, total: 2 } });
    if (i < 3) t.notOk("warnings" in job);
    else
      t.match(job.warnings, [{ warning: "notification_capped", description: /Google/ }], "and the job tells");
  }
  const { objects } = await googleState(service);
  const held = objects.find(
    ({ id }) => id.includes(pass.json.id) || id.includes(pass.json.id.replaceAll("-", "")),
  );
  const messages = held?.resource.messages as { header: string; messageType: string }[];
  t.strictSame(
    messages.map(({ header, messageType }) => [header, messageType]),
    [1, 2, 3, 4, 5].map((number) => [`Number ${number}`, number > 3 ? "TEXT" : "TEXT_AND_NOTIFY"]),
  );
  const { save_link } = (await client.get(`/api/v1/passes/${pass.json.id}`)).json.providers.apple;
  await t.test("Apple's pass shows the latest on its back", async (t) => {
    const { passJson } = await checkedPassFile(t, save_link, rootCertificate(service));
    const fields: { key: string }[] = passJson.storeCard.backFields;
    const shown = fields.find(({ key }) => key === "passwright-message");
    t.match(shown, { label: "Number 5", value: /The café is open\./ });
  });
}
