import type { Test } from "tap";
import { openProxy } from "../../support/tcp-proxy.ts";
import { filledSample, recorded, typedClient } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

export async function connections(t: Test, { baseUrl, passwright, templateId, credentials }: Surroundings) {
  const opened = async (t: Test) => {
    const proxy = await openProxy(t, baseUrl);
    const url = proxy.url.replace("redis:", "http:");
    const client = typedClient(url, credentials);
    // The token is had before anything breaks.
    await client.templates.get(templateId);
    return { proxy, client };
  };

  t.test("an answer that is cut off is asked for again, and nothing is done twice", async (t) => {
    const { proxy, client } = await opened(t);
    const body = await filledSample(passwright, templateId);
    const { facts, onResponse } = recorded();
    proxy.cutAfter(10);
    const pass = await client.passes.create(body, { onResponse });
    t.strictSame(
      facts.map(({ status, attempt }) => ({ status, attempt })),
      [{ status: 202, attempt: 2 }],
    );
    t.equal(facts[0]?.headers.get("idempotent-replayed"), "true", "the first attempt had been carried out");
    t.match(await passwright.passes.list({ external_ref: body.external_ref }), {
      total: 1,
      data: [{ id: pass.id }],
    });
  });

  t.test("so is an update, which would be a further version", async (t) => {
    const { proxy, client } = await opened(t);
    const { id } = await passwright.passes.create(await filledSample(passwright, templateId));
    proxy.cutAfter(10);
    t.equal((await client.passes.update(id, { data: { points: "8" } })).version, 2);
    t.equal((await passwright.passes.get(id)).version, 2);
  });

  t.test("a service that cannot be reached is an error with its cause", async (t) => {
    const nowhere = typedClient("http://127.0.0.1:1", credentials, { maxRetries: 0 });
    await t.rejects(nowhere.passes.list(), { code: "connection_failed", status: undefined, cause: Error });
  });
}
