import t from "tap";
import { call, type Reply } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject } from "../fixtures/google.ts";
import { running } from "../fixtures/running.ts";

const { controlUrl } = await running(t, { googleRequestsPerSecond: 20 });
const issuer = await becomeIssuer(controlUrl);
const idOf = (name: string) => `${issuer.issuerId}.${name}`;
const classId = idOf("c");
await issuer.wallet("POST", "genericClass", { id: classId });

const boundary = "batch_createobjectbatch";
const type = `multipart/mixed; boundary=${boundary}`;

function post(
  body: string,
  { path = "/batch", token = issuer.token, contentType = type } = {},
): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, "content-type": contentType };
  return call(`${controlUrl}${path}`, { method: "POST", body, headers });
}

/** A part as a client library of Google's writes it. */
function part(contentId: string, method: string, path: string, body?: unknown): string {
  const json = body === undefined ? "" : JSON.stringify(body);
  const head = `--${boundary}\r\nContent-Type: application/http\r\nContent-ID: <${contentId}>\r\n\r\n`;
  const type = body === undefined ? "" : "Content-Type: application/json\r\n";
  return `${head}${method} /walletobjects/v1/${path} HTTP/1.1\r\n${type}\r\n${json}\r\n`;
}
const end = `--${boundary}--\r\n`;

/** Content-ID, status and JSON of each part of an answer. */
function answers(reply: Reply): { contentId: string; status: number; json: ReturnType<typeof JSON.parse> }[] {
  const [, given = ""] = /boundary=(.+)$/.exec(reply.headers["content-type"] ?? "") ?? [];
  const [, ...parts] = reply.text.split(`--${given}`);
  return parts.slice(0, -1).map((text) => {
    const [head = "", inner = "", body = ""] = text.trim().split("\r\n\r\n");
    t.match(head, /^Content-Type: application\/http/);
    return {
      contentId: /Content-ID: (.*)/.exec(head)?.[1] ?? "",
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(inner)?.[1]),
      json: body.startsWith("{") ? JSON.parse(body) : body,
    };
  });
}

t.test("a batch as google-wallet/rest-samples sends it is carried out", async (t) => {
  // Line feeds alone, parts of application/json, no version of HTTP, no headers of their own.
  let body = "";
  for (const name of ["s1", "s2", "s3"]) {
    const object = JSON.stringify(genericObject(idOf(name), classId));
    body += `--${boundary}\nContent-Type: application/json\n\nPOST /walletobjects/v1/genericObject\n\n${object}\n\n`;
  }
  const reply = await post(`${body}--${boundary}--`);
  t.equal(reply.status, 200);
  t.strictSame(
    answers(reply).map(({ status, json }) => [status, json.id]),
    ["s1", "s2", "s3"].map((name) => [200, idOf(name)]),
  );
  t.equal((await issuer.wallet("GET", `genericObject/${idOf("s2")}`)).status, 200);
});

t.test("each part is answered on its own, under its id", async (t) => {
  const object = genericObject(idOf("own"), classId);
  const body = [
    part("one", "POST", "genericObject", object),
    part("two", "POST", "genericObject", object),
    part("three", "GET", `genericObject/${idOf("own")}?fields=id`),
    part("four", "PATCH", `genericObject/${idOf("none")}`, { state: "EXPIRED" }),
    part("five", "GET", "couponClass"),
    end,
  ].join("");
  const reply = await post(body, {
    path: "/batch/walletobjects/v1",
    contentType: `multipart/mixed; boundary="${boundary}"`,
  });
  t.strictSame(
    answers(reply).map(({ contentId, status }) => [contentId, status]),
    [
      ["<response-one>", 200],
      ["<response-two>", 409],
      ["<response-three>", 200],
      ["<response-four>", 404],
      ["<response-five>", 404],
    ],
  );
});

t.test("a call's own token counts more than that of the whole", async (t) => {
  const own = part("a", "GET", `genericClass/${classId}`).replace(
    "HTTP/1.1\r\n",
    "HTTP/1.1\r\nAuthorization: Bearer x\r\n",
  );
  const replies = answers(await post(own + part("b", "GET", `genericClass/${classId}`) + end));
  t.strictSame(
    replies.map(({ status }) => status),
    [401, 200],
  );
});

t.test("faults hit parts, not batches, and a cut connection cuts all", async (t) => {
  const faults = `${controlUrl}/sandbox/google/faults`;
  const body = { status: 503, resource_prefix: `genericClass/${classId}` };
  await call(faults, { method: "POST", body });
  const two = part("a", "GET", `genericClass/${classId}`) + part("b", "GET", `genericClass/${classId}`) + end;
  t.strictSame(
    answers(await post(two)).map(({ status }) => status),
    [503, 200],
  );
  await call(faults, { method: "POST", body: { reset: true } });
  await t.rejects(post(two), { code: "ECONNRESET" });
});

t.test("what is no batch is refused", async (t) => {
  const one = part("a", "GET", `genericClass/${classId}`);
  const many = one.repeat(1001) + end;
  for (const [why, answer] of [
    ["no boundary", await post(one + end, { contentType: "multipart/mixed" })],
    ["another type", await post(one + end, { contentType: "application/json" })],
    ["no end", await post(one)],
    ["no parts", await post(end)],
    ["a part of another type", await post(one.replace("application/http", "text/plain") + end)],
    [
      "no request in it",
      await post(`--${boundary}\r\nContent-Type: application/http\r\n\r\nhello\r\n${end}`),
    ],
    ["another host", await post(one.replace("GET /", "GET https://example.com/") + end)],
    ["too many", await post(many)],
  ] as const) {
    t.equal(answer.status, 400, why);
    t.match(
      answer.json.error,
      { status: "INVALID_ARGUMENT", message: /^Failed to parse batch request/ },
      why,
    );
  }
});

t.test("each part counts against the rate", async (t) => {
  const other = await becomeIssuer(controlUrl);
  const list = part("a", "GET", `genericClass?issuerId=${other.issuerId}`);
  const replies = answers(await post(list.repeat(25) + end, { token: other.token }));
  t.strictSame(
    replies.map(({ status }) => status),
    [...new Array(20).fill(200), ...new Array(5).fill(429)],
  );
});
