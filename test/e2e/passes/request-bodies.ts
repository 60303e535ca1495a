import type { Test } from "tap";
import { faultyPaths, type Reply } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function requestBodies(t: Test, { client, loyaltyCard }: Surroundings) {
  const create = (body: unknown) => client.post("/api/v1/passes", body);
  const refused = (t: Test, reply: Reply, paths: readonly string[], name: string) => {
    t.equal(reply.status, 400, `${name}: ${reply.text}`);
    t.match(reply.json, { error: "invalid_request", error_description: /\S/, trace_id: traceId });
    t.strictSame([...new Set(faultyPaths(reply))], paths, name);
    for (const { message } of reply.json.details ?? []) t.match(message, /\S/);
  };

  t.test("each member must be there", async (t) => {
    for (const name of ["template_id", "intent", "external_ref", "data"] as const) {
      const { [name]: _, ...rest } = loyaltyCard();
      refused(t, await create(rest), [`/${name}`], name);
    }
  });

  t.test("each member must have its type", async (t) => {
    const wrong = {
      template_id: [null, 1, true, [], {}, "", "loyalty", "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e1"],
      intent: [null, 1, true, [], {}],
      external_ref: [null, 1, true, [], {}],
      data: [null, 1, true, [], "member", ["member"]],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const reply = await create(loyaltyCard({ [name]: value }));
        refused(t, reply, [`/${name}`], `${name} is ${JSON.stringify(value)}`);
      }
    }
  });

  t.test("external_ref has 1 to 255 characters, none of them a control character", async (t) => {
    for (const external_ref of [
      "",
      "x".repeat(256),
      "\u{1f3ab}".repeat(256),
      "a\u0000",
      "a\nb",
      "\u007f",
      "a\u0085",
    ]) {
      const name = JSON.stringify(external_ref).slice(0, 20);
      refused(t, await create(loyaltyCard({ external_ref })), ["/external_ref"], name);
    }
    const unique = crypto.randomUUID();
    const good = [
      unique.padEnd(255, "x"),
      `${unique}${"\u{1f3ab}".repeat(255 - unique.length)}`,
      `${unique}/with a slash, "quotes" & Größe`,
      `__proto__${unique}`,
    ];
    for (const external_ref of good) {
      const reply = await create(loyaltyCard({ external_ref }));
      t.equal(reply.status, 202, `${external_ref.slice(0, 50)}: ${reply.text}`);
      t.equal(reply.json.external_ref, external_ref);
    }
  });

  t.test("values of data are strings of at most 4,096 characters", async (t) => {
    for (const value of [1, true, null, ["x"], { x: "y" }]) {
      const data = { member: "Ada", terms: value };
      refused(t, await create(loyaltyCard({ data })), ["/data/terms"], JSON.stringify(value));
    }
    // Static fields of this template have no limit of their own. One such character is two UTF-16 code units.
    for (const letter of ["x", "\u{1f3ab}"]) {
      const of = (length: number) => loyaltyCard({ data: { member: "Ada", terms: letter.repeat(length) } });
      refused(t, await create(of(4097)), ["/data/terms"], `4,097 of ${letter}`);
      const longest = await create(of(4096));
      t.equal(longest.status, 202, `4,096 of ${letter}: ${longest.text.slice(0, 200)}`);
    }
  });

  t.test("keys of data are 1 to 64 letters, digits, and _ . -", async (t) => {
    for (const key of [
      "",
      "with space",
      "with/slash",
      "größe",
      "x".repeat(65),
      "a\u0000",
      "{{member}}",
      "a\tb",
    ]) {
      const reply = await create(loyaltyCard({ data: { member: "Ada", [key]: "x" } }));
      t.equal(reply.status, 400, key);
      t.match(reply.json, { error: "invalid_request" });
      const pointer = `/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      t.strictSame([...new Set(faultyPaths(reply))], [pointer], "as an RFC 6901 pointer");
    }
  });

  t.test("data has at most a hundred keys", async (t) => {
    const data = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`key${n}`, "x"]));
    const reply = await create(loyaltyCard({ data }));
    t.equal(reply.status, 400);
    t.ok(faultyPaths(reply).includes("/data"), "it is data that is too large");
  });

  t.test("every fault of a body is named", async (t) => {
    const reply = await create({
      template_id: "x",
      external_ref: "",
      data: { member: 1, "a b": "x" },
      more: {},
    });
    refused(
      t,
      reply,
      ["/data/a b", "/data/member", "/external_ref", "/intent", "/more", "/template_id"],
      "all at once",
    );
  });
}
