import type { Test } from "tap";
import type { Surroundings } from "../passes/surroundings.ts";
import { eventually } from "../support/eventually.ts";
import { everythingLogged } from "../support/logs.ts";
import { finished } from "../support/passes.ts";
import { traceId } from "../support/shapes.ts";

const given = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

export async function traceIds(t: Test, { client, service, loyaltyCard }: Surroundings) {
  const paths = ["/api/v1/templates", "/api/v1/passes/nope", "/nope", "/healthz", "/.well-known/jwks.json"];

  t.test("every response bears one, which the error object repeats", async (t) => {
    for (const path of paths) {
      const reply = await client.get(path);
      t.match(reply.headers["x-trace-id"], traceId, path);
      if (reply.json.error !== undefined) t.equal(reply.json.trace_id, reply.headers["x-trace-id"]);
    }
    const refused = await client.post("/api/v1/passes", {});
    t.equal(refused.json.trace_id, refused.headers["x-trace-id"]);
    t.match(refused.json.trace_id, traceId);
  });

  t.test("it is that of a valid traceparent", async (t) => {
    for (const flags of ["00", "01", "ff"]) {
      for (const path of paths) {
        const reply = await client.get(path, { traceparent: `00-${given}-${parent}-${flags}` });
        t.equal(reply.headers["x-trace-id"], given, path);
        if (reply.json.error !== undefined) t.equal(reply.json.trace_id, given);
      }
    }
  });

  t.test("and a fresh one where there is none, or one that is not valid", async (t) => {
    const invalid = [
      undefined,
      "",
      given,
      `00-${"0".repeat(32)}-${parent}-01`,
      `00-${given}-${"0".repeat(16)}-01`,
      `ff-${given}-${parent}-01`,
      `00-${given.toUpperCase()}-${parent}-01`,
      `00-${given}-${parent}-01-more`,
      `00-${given}-${parent}`,
      `00-${given}0-${parent}-01`,
      `00-${given.slice(1)}g-${parent}-01`,
      `0-${given}-${parent}-01`,
      `00_${given}_${parent}_01`,
    ];
    const seen = new Set<unknown>();
    for (const traceparent of invalid) {
      const reply = await client.get("/nope", traceparent === undefined ? {} : { traceparent });
      const fresh = reply.headers["x-trace-id"];
      t.match(fresh, traceId, String(traceparent));
      t.not(fresh, given, String(traceparent));
      t.equal(reply.json.trace_id, fresh);
      seen.add(fresh);
    }
    t.equal(seen.size, invalid.length, "never the same twice");
  });

  t.test("the logs of the request and of the job that it caused carry it", async (t) => {
    const trace = crypto.randomUUID().replaceAll("-", "");
    const traceparent = `00-${trace}-${parent}-01`;
    const accepted = await client.post("/api/v1/passes", loyaltyCard(), { traceparent });
    t.equal(accepted.status, 202, accepted.text);
    await finished(client, accepted);
    // The request's own line, and at least one of the job, by its identifier.
    for (const part of ['"http.request"', accepted.json.job_id]) {
      const line = await eventually(async () =>
        everythingLogged(service)
          .split("\n")
          .find((text) => text.includes(trace) && text.includes(part)),
      );
      t.ok(line, `${part} is told of under it`);
    }
  });
}
