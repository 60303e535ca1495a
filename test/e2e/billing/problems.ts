import type { Test } from "tap";
import { judgeError } from "../support/judgements.ts";
import { ask, faultyPaths, type Reply } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function problems(t: Test, { baseUrl, client, contractor }: Surroundings) {
  for (const [path, name, good] of [
    ["/api/v1/billing/topup", "package_id", "a-1"],
    ["/api/v1/billing/subscribe", "plan_id", "monthly"],
  ] as const) {
    t.test(`${path}: every 400 is a problem with its details`, async (t) => {
      const cases: [body: unknown, ...paths: string[]][] = [
        [{}, `/${name}`],
        [{ [name]: "nothing-like-it" }, `/${name}`],
        [{ [name]: 1 }, `/${name}`],
        [{ [name]: "" }, `/${name}`],
        [{ [name]: "A 1" }, `/${name}`],
        [{ [name]: "__proto__" }, `/${name}`],
        [{ [name]: good, success_url: "shop" }, "/success_url"],
        [{ [name]: good, success_url: "javascript:alert(1)" }, "/success_url"],
        [{ [name]: good, success_url: 1, cancel_url: "ftp://x/" }, "/cancel_url", "/success_url"],
        [{ [name]: good, price: 1 }, "/price"],
      ];
      for (const [body, ...paths] of cases) {
        const reply = await client.post(path, body);
        judgeProblem(t, reply, path, JSON.stringify(body));
        t.strictSame([...new Set(faultyPaths(reply))], paths, JSON.stringify(body));
      }
      for (const body of ["", "{", "[]", "null", '{"__proto__":{}}']) {
        const headers = { "content-type": "application/json" };
        judgeProblem(t, await client.ask(path, { method: "POST", body, headers }), path, body);
      }
      const headers = { "content-type": "text/plain" };
      judgeProblem(t, await client.ask(path, { method: "POST", body: "{}", headers }), path, "text/plain");
      judgeProblem(t, await client.post(path, { [name]: good }, { "idempotency-key": "a b" }), path, "key");
    });

    t.test(`${path}: without a token it is 401 as everywhere`, async (t) => {
      const reply = await ask(`${baseUrl}${path}`, { body: {} });
      judgeError(t, reply, 401, "invalid_token");
      t.match(reply.headers["www-authenticate"], /^Bearer/);
    });
  }

  t.test("the identifiers of the one are not the other's", async (t) => {
    const topup = await client.post("/api/v1/billing/topup", { package_id: "monthly" });
    judgeProblem(t, topup, "/api/v1/billing/topup", "a plan's");
    const subscribe = await client.post("/api/v1/billing/subscribe", { plan_id: "a-1" });
    judgeProblem(t, subscribe, "/api/v1/billing/subscribe", "a package's");
  });

  t.test("a tenant with a contract has no credits to top up, and is told so, or may buy", async (t) => {
    const reply = await contractor.post("/api/v1/billing/topup", { package_id: "a-1" });
    if (reply.status === 400) judgeProblem(t, reply, "/api/v1/billing/topup", "a contract");
    else if (reply.status === 409) judgeError(t, reply, 409, "invalid_state");
    else t.equal(reply.status, 200, reply.text);
  });
}

function judgeProblem(t: Test, reply: Reply, path: string, what: string): void {
  t.equal(reply.status, 400, `${what}: ${reply.text}`);
  t.match(reply.headers["content-type"], /^application\/problem\+json\b/, what);
  const { json } = reply;
  for (const name of ["type", "title", "detail", "error_description"]) t.type(json[name], "string", name);
  t.equal(json.status, 400);
  t.equal(json.error, "invalid_request", what);
  t.ok(URL.canParse(json.type, "http://x"), json.type);
  t.ok(String(json.instance).startsWith(path), json.instance);
  t.match(json.trace_id, traceId);
  t.equal(json.trace_id, reply.headers["x-trace-id"]);
}
