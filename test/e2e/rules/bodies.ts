import type { Test } from "tap";
import type { Surroundings } from "../passes/surroundings.ts";
import { exchangeBytes } from "../support/raw-socket.ts";
import { faultyPaths } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";

const limit = 64 * 1024;

export async function bodies(t: Test, { baseUrl, client, loyaltyCard }: Surroundings) {
  const json = { "content-type": "application/json" };
  const send = (body: string | Buffer, headers: Record<string, string> = json) =>
    client.ask("/api/v1/passes", { body, headers });

  t.test("64 KiB are read, one byte more is 413", async (t) => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(loyaltyCard());
      return text + " ".repeat(bytes - Buffer.byteLength(text));
    };
    t.equal((await send(padded(limit))).status, 202);
    const chunked = { body: padded(limit), headers: json, chunked: true };
    t.equal((await client.ask("/api/v1/passes", chunked)).status, 202, "in chunks, too");
    const larger = await send(padded(limit + 1));
    t.equal(larger.status, 413);
    t.match(larger.json, { error: "invalid_request", trace_id: traceId });
    const inChunks = await client.ask("/api/v1/passes", { ...chunked, body: padded(limit + 1) });
    t.equal(inChunks.status, 413);
  });

  t.test("a longer body is refused before it has been sent, and the connection closed", async (t) => {
    const head = [
      "POST /api/v1/passes HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${client.token}`,
      "Content-Type: application/json",
      `Content-Length: ${limit + 1}`,
    ];
    const answer = await exchangeBytes(baseUrl, `${head.join("\r\n")}\r\n\r\n{`);
    t.match(answer, /^HTTP\/1\.1 413 /);
    t.match(answer, /"error":"invalid_request"/);
    t.equal(answer.match(/^HTTP\/1\.1 /gm)?.length, 1);
  });

  t.test("what is not a JSON object is refused", async (t) => {
    const texts = [
      "",
      " ",
      "{",
      "}",
      "{}{}",
      "[]",
      `[${JSON.stringify(loyaltyCard())}]`,
      '"text"',
      "null",
      "1",
      "NaN",
      "{'a':1}",
      '{"a":1,}',
      "{a:1}",
      '{"a":01}',
      '{"a":"\n"}',
      "\u00a0{}",
      `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
      `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    ];
    for (const text of texts) {
      const reply = await send(text);
      t.equal(reply.status, 400, text.slice(0, 40));
      t.match(reply.json, { error: "invalid_request", trace_id: traceId });
    }
  });

  t.test("a body that is not UTF-8 is refused", async (t) => {
    const whole = JSON.stringify(loyaltyCard({ data: { member: "Zo\u00eb" } }));
    t.equal((await send(Buffer.from(whole, "utf8"))).status, 202, "as UTF-8 it is fine");
    const wrong = [
      Buffer.from(whole, "latin1"),
      Buffer.from(whole, "utf16le"),
      Buffer.from(whole.replace("\u00eb", "\u00ed\u00a0\u0080"), "latin1"),
      Buffer.from(whole.replace("\u00eb", "\u00c0\u00af"), "latin1"),
      Buffer.from(whole.replace("\u00eb", "\u00f5\u0080\u0080\u0080"), "latin1"),
    ];
    for (const bytes of wrong) {
      const reply = await send(bytes);
      t.equal(reply.status, 400, bytes.subarray(0, 12).toString("hex"));
      t.match(reply.json, { error: "invalid_request" });
    }
  });

  t.test("any media type but application/json is refused", async (t) => {
    const text = () => JSON.stringify(loyaltyCard());
    for (const type of [
      "application/json; charset=utf-8",
      "Application/JSON",
      "application/json;charset=UTF-8",
    ]) {
      t.equal((await send(text(), { "content-type": type })).status, 202, type);
    }
    const wrong = [
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/merge-patch+json",
      "application/octet-stream",
      "json",
    ];
    for (const type of wrong) {
      const reply = await send(text(), { "content-type": type });
      t.equal(reply.status, 400, type);
      t.match(reply.json, { error: "invalid_request" });
    }
    t.equal((await send(text(), {})).status, 400, "none at all");
  });

  t.test("a member that nobody knows is named", async (t) => {
    for (const name of ["extra", "constructor", "tenant_id", "status", "id", "version", "toString"]) {
      const reply = await client.post("/api/v1/passes", { ...loyaltyCard(), [name]: "x" });
      t.equal(reply.status, 400, name);
      t.match(reply.json, { error: "invalid_request" });
      t.strictSame(faultyPaths(reply), [`/${name}`]);
    }
    const webhook = {
      url: "https://hooks.example/x",
      events: ["pass.created"],
      secret: "12345678",
      is_active: false,
    };
    t.strictSame(faultyPaths(await client.post("/api/v1/webhooks", webhook)), ["/is_active"]);
  });

  t.test("__proto__ is refused at any depth, however it is written", async (t) => {
    const text = JSON.stringify(loyaltyCard());
    const places = [
      text.replace("{", '{"__proto__":{},'),
      text.replace("{", '{"__pro\\u0074o__":null,'),
      text.replace('"data":{', '"data":{"__proto__":"x",'),
      text.replace('"data":{', '"data":{"\\u005f_proto__":"x",'),
      text.replace("{", '{"a":[[{"b":{"__proto__":1}}]],'),
    ];
    for (const body of places) {
      const reply = await send(body);
      t.equal(reply.status, 400, body.slice(0, 60));
      t.match(reply.json, { error: "invalid_request" });
    }
    t.equal((await send(text.replace("Ada Lovelace", "__proto__"))).status, 202, "as a value it is text");
  });
}
