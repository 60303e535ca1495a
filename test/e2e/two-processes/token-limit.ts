import type { Test } from "tap";
import { ask, type Reply } from "../support/requests.ts";
import { startServe } from "../support/serve.ts";
import type { Surroundings } from "./surroundings.ts";

// All of 127.0.0.0/8 is this machine: a request can come from a proxy that is trusted, or from anybody.
const [proxy, otherProxy] = ["127.0.7.1", "127.0.7.2"] as const;

export async function tokenLimit(t: Test, { service, settings }: Surroundings) {
  const { PASSWRIGHT_TOKEN_RATE_LIMIT: _, ...others } = settings;
  const limited = {
    ...others,
    PASSWRIGHT_BASE_URL: service.announced.base_url,
    PASSWRIGHT_TRUSTED_PROXIES: `${proxy}/32, ::ffff:${otherProxy}/128, fd00:7::/32`,
  };
  const processes = [await startServe(t, service, limited), await startServe(t, service, limited)] as const;
  const { tenant_id, application_id, application_secret } = service.announced;
  const right = { tenant_id, application_id, application_secret, grant_type: "client_credentials" };
  let asked = 0;
  /** A request to the processes in turn, from a peer and with what its headers say. */
  const request = (from: string, forwarded?: string | string[], body: object = right): Promise<Reply> =>
    ask(`${processes[asked++ % 2]}/api/v1/auth/token`, {
      body,
      from,
      ...(forwarded !== undefined && { headers: { "x-forwarded-for": forwarded } }),
    });
  const statuses = async (count: number, one: (number: number) => Promise<Reply>): Promise<number[]> => {
    const found: number[] = [];
    for (let number = 0; number < count; number++) found.push((await one(number)).status);
    return found;
  };
  const tenThenNoMore = [...Array(10).fill(200), 429, 429];

  t.test(
    "ten a minute, whichever process they come to and whatever they are; each answer says how many are left",
    async (t) => {
      const from = "127.0.1.1";
      for (let number = 0; number < 10; number++) {
        const reply = await request(from, undefined, number % 2 === 0 ? right : {});
        t.equal(reply.status, number % 2 === 0 ? 200 : 400);
        t.equal(reply.headers["ratelimit-limit"], "10");
        t.equal(reply.headers["ratelimit-remaining"], String(9 - number));
        t.match(reply.headers["ratelimit-reset"], /^([1-9]|[1-5]\d|60)$/);
      }
      for (const body of [right, {}]) {
        const refused = await request(from, undefined, body);
        t.equal(refused.status, 429);
        t.match(refused.json, { error: "too_many_requests" });
        t.equal(refused.headers["ratelimit-limit"], "10");
        t.equal(refused.headers["ratelimit-remaining"], "0");
        t.equal(refused.headers["ratelimit-reset"], refused.headers["retry-after"]);
        t.match(refused.headers["retry-after"], /^([1-9]|[1-5]\d|60)$/);
        t.match(refused.headers["cache-control"], /no-store/);
      }
      t.equal((await request("127.0.1.2")).status, 200, "others are not held up");
    },
  );

  t.test("of forty at one moment just ten are looked at", async (t) => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => request("127.0.1.3", undefined, {})));
    t.equal(replies.filter(({ status }) => status === 400).length, 10);
    t.equal(replies.filter(({ status }) => status === 429).length, 30);
  });

  t.test("who is no trusted proxy gains nothing by headers, and takes nothing from others", async (t) => {
    const victim = "198.51.100.1";
    const lies = (number: number) => [[victim], [`203.0.113.${number}`], [victim, proxy]][number % 3];
    t.strictSame(await statuses(12, (number) => request("127.0.1.4", lies(number))), tenThenNoMore);
    const untouched = await request(proxy, victim);
    t.equal(untouched.headers["ratelimit-remaining"], "9");
  });

  t.test(
    "behind a trusted proxy each client has a window; what he wrote himself is not believed",
    async (t) => {
      const client = "198.51.100.2";
      const ways = (number: number): string | string[] =>
        [
          client,
          [`203.0.113.${number}`, client],
          `203.0.113.${number}, ${client}`,
          [`203.0.113.${number}, ${client}`, `${proxy}, ${otherProxy}`],
          [proxy, client, "fd00:7::1"],
          `${client}:${40_000 + number}`,
        ][number % 6] ?? client;
      t.strictSame(await statuses(12, (number) => request(proxy, ways(number))), tenThenNoMore);
      t.equal((await request(otherProxy, client)).status, 429, "through another proxy, too");
      t.equal((await request(proxy, "198.51.100.3")).status, 200);
    },
  );

  t.test("an IPv4 address is one client, also where it is written as IPv6", async (t) => {
    const spellings = [
      "198.51.100.4",
      "::ffff:198.51.100.4",
      "::ffff:c633:6404",
      "0:0:0:0:0:FFFF:198.51.100.4",
    ];
    const way = (number: number) => spellings[number % spellings.length];
    t.strictSame(await statuses(12, (number) => request(proxy, way(number))), tenThenNoMore);
  });

  t.test("an IPv6 subscriber has one window for all of his /64", async (t) => {
    const any = (number: number) => `2001:db8:1:2:${(number * 4369).toString(16)}::${number.toString(16)}`;
    t.strictSame(await statuses(12, (number) => request(proxy, any(number))), tenThenNoMore);
    t.equal((await request(proxy, "2001:db8:1:3::1")).status, 200, "his neighbour another");
  });

  t.test("a proxy that says nothing, or nothing that is an address, is the client itself", async (t) => {
    const junk = [undefined, "", "unknown", "_hidden", "198.51.100.999", "<script>", "0x7f.1"];
    const way = (number: number) => junk[number % junk.length];
    t.strictSame(await statuses(12, (number) => request(proxy, way(number))), tenThenNoMore);
  });
}
