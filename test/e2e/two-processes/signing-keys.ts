import type { Test } from "tap";
import { askToken, withToken } from "../support/client.ts";
import { ask } from "../support/requests.ts";
import { type Surroundings, soonAtAll } from "./surroundings.ts";

export async function signingKeys(t: Test, surroundings: Surroundings) {
  const { service, baseUrls } = surroundings;
  const { tenant_id, application_id, application_secret } = service.announced;
  const credentials = { tenant_id, application_id, application_secret };
  const verb = async (...args: string[]) => (await service.cli("keys", ...args, "--json")).json();
  const newToken = async (url: string): Promise<string> =>
    (await askToken(url, credentials)).json.access_token;
  const isGoodAt = async (url: string, token: string): Promise<boolean> =>
    (await withToken(url, token, "").get("/api/v1/passes")).status === 200;
  const published = async (url: string): Promise<string[]> =>
    JSON.parse((await ask(`${url}/.well-known/jwks.json`)).text).keys.map(({ kid }: { kid: string }) => kid);

  t.test("while a rotation spreads, every token of either process is good at both", async (t) => {
    const older = await newToken(baseUrls[0]);
    const { active } = await verb("rotate", "--force", "--yes");
    let tokens = 0;
    await soonAtAll(t, "signed by the new key", baseUrls, async (url) => {
      const token = await newToken(url);
      for (const place of baseUrls) t.ok(await isGoodAt(place, token));
      tokens++;
      return kidOf(token) === active;
    });
    t.ok(tokens >= 2);
    for (const place of baseUrls) t.ok(await isGoodAt(place, older), "and so is one of before");
  });

  t.test("a compromised key's tokens are refused, though they were good a moment before", async (t) => {
    const [active] = await verb("list");
    const token = await newToken(baseUrls[0]);
    t.equal(kidOf(token), active.kid);
    for (const place of baseUrls) t.ok(await isGoodAt(place, token));
    const { active: successor, next } = await verb("rotate", "--compromised", active.kid, "--yes");
    await soonAtAll(t, "refused", baseUrls, async (url) => !(await isGoodAt(url, token)));
    await soonAtAll(t, "out of the key set", baseUrls, async (url) => {
      const kids = await published(url);
      return !kids.includes(active.kid) && kids.includes(successor) && kids.includes(next);
    });
    for (const url of baseUrls) {
      const fresh = await newToken(url);
      t.equal(kidOf(fresh), successor);
      for (const place of baseUrls) t.ok(await isGoodAt(place, fresh));
    }
  });
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString("utf8")).kid;
}
