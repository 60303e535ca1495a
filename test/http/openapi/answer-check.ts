import t from "tap";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { finishedJob } from "../../../src/http/openapi/examples/jobs.ts";
import { routes } from "../../../src/http/routes.ts";
import { createAnswerCheck, type Document } from "../../support/openapi.ts";

const document = createDocument(routes, { baseUrl: "https://passes.example.com", version: "1.2.3" });
const check = createAnswerCheck(document as unknown as Document);
const headers = {
  "content-type": "application/json; charset=utf-8",
  "x-trace-id": "4bf92f3577b34da6a3ce929d0e0e4736",
};
const jobPath = "/api/v1/jobs/0199c3b7-2e70-7b16-8d23-7e50ac1b2f63";
const faultsOf = (json: unknown, { status = 200, more = {} } = {}): string[] =>
  check("GET", jobPath, { status, headers: { ...headers, ...more }, text: JSON.stringify(json), json });

t.test("an answer as it is documented passes the check of all end-to-end tests", async (t) => {
  t.strictSame(faultsOf(finishedJob), []);
});

t.test("an answer that is not is found out", async (t) => {
  t.match(faultsOf({ ...finishedJob, surprise: 1 }), [/surprise/]);
  t.match(faultsOf({ ...finishedJob, status: "done" }), [/status/]);
  t.match(faultsOf({ ...finishedJob, id: "7" }), [/\/id must match format "uuid"/]);
  t.match(faultsOf({ ...finishedJob, started_at: undefined }), [/started_at/]);
  t.match(faultsOf(finishedJob, { status: 201 }), [/201 is not documented/]);
  t.match(faultsOf(finishedJob, { more: { "x-trace-id": undefined } }), [/lacks the header X-Trace-Id/]);
  t.match(faultsOf(finishedJob, { more: { "content-type": "text/plain" } }), [
    /text\/plain is not documented/,
  ]);
});

t.test("an error on a path that is no operation's still is an error object", async (t) => {
  const nowhere = (json: unknown) => check("GET", "/nowhere", { status: 404, headers, text: "{}", json });
  t.not(nowhere({}).length, 0);
  t.strictSame(
    nowhere({ error: "not_found", error_description: "x", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" }),
    [],
  );
});
