import type { Test } from "tap";
import { faultyPaths } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

// The loyalty card that ships with the product: member is a Placeholder without default, points one with a default
// and at most 32 characters, terms is Static, member_number and pass_number are Computed.

export async function dataRules(t: Test, { client, loyaltyCard }: Surroundings) {
  const create = (data: object) => client.post("/api/v1/passes", loyaltyCard({ data }));
  const refused = async (t: Test, data: object, paths: readonly string[]) => {
    const reply = await create(data);
    t.equal(reply.status, 400, reply.text);
    t.match(reply.json, { error: "invalid_request" });
    t.strictSame(faultyPaths(reply), paths);
  };

  t.test("a key that is no field of the template is refused", async (t) => {
    for (const key of ["nope", "Member", "constructor", "toString", "hasOwnProperty"]) {
      await refused(t, { member: "Ada", [key]: "x" }, [`/data/${key}`]);
    }
  });

  t.test("a Computed key is refused", async (t) => {
    for (const key of ["member_number", "pass_number"])
      await refused(t, { member: "Ada", [key]: "x" }, [`/data/${key}`]);
  });

  t.test("a Placeholder without default must be given", async (t) => {
    await refused(t, {}, ["/data/member"]);
    await refused(t, { points: "1" }, ["/data/member"]);
    t.equal((await create({ member: "Ada" })).status, 202, "those with a default need not");
  });

  t.test("a field's own max_length is kept, in characters", async (t) => {
    for (const letter of ["9", "\u{1f3ab}"]) {
      await refused(t, { member: "Ada", points: letter.repeat(33) }, ["/data/points"]);
      t.equal((await create({ member: "Ada", points: letter.repeat(32) })).status, 202, letter);
    }
  });

  t.test("a Static field may be given another value", async (t) => {
    const reply = await create({ member: "Ada", terms: "None." });
    t.equal(reply.status, 202);
    t.strictSame(reply.json.data, { member: "Ada", terms: "None." });
  });

  t.test("every such fault is named", async (t) => {
    const data = { points: "9".repeat(33), nope: "x", member_number: "1" };
    await refused(t, data, ["/data/member", "/data/member_number", "/data/nope", "/data/points"]);
  });
}
