import t from "tap";
import { version } from "../../../clients/typescript/src/generated/version.ts";
import { createPasswright, type ResponseFacts } from "../../../clients/typescript/src/index.ts";
import { refusal, startService } from "./fixtures/service.ts";

const options = {
  baseUrl: "https://passes.example",
  tenantId: "t",
  applicationId: "a",
  applicationSecret: "s",
};

t.test("an option that cannot be right is named at once", async (t) => {
  for (const baseUrl of [
    "",
    "passes.example",
    "ftp://passes.example",
    "https://a:b@x",
    "https://x?y",
    "https://x#y",
  ]) {
    t.throws(
      () => createPasswright({ ...options, baseUrl }),
      { name: "TypeError", message: /^baseUrl / },
      baseUrl,
    );
  }
  for (const name of ["tenantId", "applicationId", "applicationSecret"]) {
    t.throws(() => createPasswright({ ...options, [name]: "" }), { message: new RegExp(`^${name} `) });
  }
  for (const [name, value] of Object.entries({ timeoutMs: 0, maxRetries: -1 })) {
    t.throws(() => createPasswright({ ...options, [name]: value }), { message: new RegExp(`^${name} `) });
  }
});

t.test("a base URL may have a path, and a slash at its end", async (t) => {
  const urls: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    urls.push(String(url));
    return Response.json({ access_token: "x", expires_in: 3600 });
  };
  await createPasswright({ ...options, baseUrl: "https://passes.example/behind/", fetch }).passes.get("a");
  t.strictSame(urls, [
    "https://passes.example/behind/api/v1/auth/token",
    "https://passes.example/behind/api/v1/passes/a",
  ]);
});

t.test("what stands in a path is encoded, and stays one segment", async (t) => {
  const service = await startService(t, () => ({ status: 202, body: {} }));
  const { passes } = service.client();
  const references = ["a/b", "a?b#c", "100%", "../passes", "Zoë 🎫", "a;b=c", "%2e%2e", "a+b", "..."];
  for (const reference of references) await passes.updateByExternalRef(reference, { data: {} });
  t.strictSame(
    service.asked.map(({ path }) => path),
    references.map((reference) => `/api/v1/passes/by-external-ref/${encodeURIComponent(reference)}`),
  );
  for (const { path } of service.asked) t.equal(path.split("/").length, 6, path);
});

t.test("what no path can hold is refused before it is sent", async (t) => {
  const service = await startService(t, () => ({ status: 202, body: {} }));
  const { passes } = service.client();
  for (const id of ["", ".", "..", "\ud800", undefined, null, 7]) {
    await t.rejects(passes.get(id as string), { name: "TypeError", message: /^id / }, String(id));
  }
  t.equal(service.asked.length, 0);
});

t.test("members that the types do not know pass through, both ways", async (t) => {
  const service = await startService(t, () => ({ status: 202, body: { id: "a", added_in_2030: [1] } }));
  const pass = await service.client().passes.update("a", { data: { a: "1", b: null } });
  t.strictSame(pass, { id: "a", added_in_2030: [1] });
  t.equal(service.asked[0]?.body, '{"data":{"a":"1","b":null}}');
});

t.test("a request says what it sends, what it takes, and who asks", async (t) => {
  const service = await startService(t, () => ({ status: 202, body: {} }));
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const { passes } = service.client();
  await passes.update("a", { data: {} }, { headers: { Traceparent: traceparent } });
  await passes.revoke("a");
  t.match(service.asked[0]?.headers, {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": `passwright-client/${version}`,
    authorization: "Bearer token-1",
    traceparent,
  });
  t.equal(service.asked[1]?.headers["content-type"], undefined, "no body, no type");
  t.equal(service.asked[1]?.body, "");
});

t.test("204 is undefined", async (t) => {
  const service = await startService(t, () => ({ status: 204 }));
  t.equal(await service.client().webhooks.delete("a"), undefined);
});

t.test("onResponse is told of every attempt, by the client also of token requests", async (t) => {
  const service = await startService(t, (_, count) =>
    count === 1 ? refusal(503, "unavailable", { "x-trace-id": "abc" }) : { status: 200, body: {} },
  );
  const [all, own]: [ResponseFacts[], ResponseFacts[]] = [[], []];
  const client = service.client({ onResponse: (facts) => all.push(facts) });
  await client.jobs.get("a", { wait: 0 }, { onResponse: (facts) => own.push(facts) });
  t.strictSame(
    own.map(({ method, path, status, attempt }) => ({ method, path, status, attempt })),
    [
      { method: "GET", path: "/api/v1/jobs/a?wait=0", status: 503, attempt: 1 },
      { method: "GET", path: "/api/v1/jobs/a?wait=0", status: 200, attempt: 2 },
    ],
  );
  t.equal(own[0]?.headers.get("x-trace-id"), "abc");
  t.strictSame(
    all.map(({ path }) => path),
    ["/api/v1/auth/token", "/api/v1/jobs/a?wait=0", "/api/v1/jobs/a?wait=0"],
  );
});

t.test("a client shows no secret to whoever prints it", async (t) => {
  const { inspect } = await import("node:util");
  const client = createPasswright({ ...options, applicationSecret: "hush-hush" });
  t.notMatch(inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client), /hush-hush/);
});
