import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import type { Reply } from "../support/requests.ts";
import { accepted, type Estate, loyaltyCard, nobodys } from "./estate.ts";
import type { Call, Told } from "./operations.ts";
import { askAs, everythingOf, guardedRows, type Row, type Surroundings } from "./surroundings.ts";

/** Every way in which an operation can be told whose thing it is to touch. */
function waysToName(row: Row): { told: Told; ask(own: Estate): Call }[] {
  const byId = row.path.includes("{id}") ? [{ told: "not_found" as const, ask: row.ask }] : [];
  return [...byId, ...(row.naming ?? [])];
}

const batches = "/api/v1/batches";
const toldStatus = { not_found: 404, invalid_template: 400, "an empty list": 200 } as const;

export async function otherTenants(t: Test, surroundings: Surroundings) {
  const { baseUrl, owner, stranger, estate } = surroundings;
  const before = await everythingOf(surroundings);

  t.test("every request that names something of its owner's has a way to be tried by others", async (t) => {
    for (const row of guardedRows) {
      const { path, body } = row.ask(estate);
      const text = `${path} ${JSON.stringify(body)}`;
      const names = valuesOf(estate).some((value) => text.includes(value));
      if (names && row.path !== batches) t.not(waysToName(row).length, 0, row.name);
    }
  });

  for (const row of guardedRows) {
    for (const way of waysToName(row)) {
      const { path, body } = way.ask(estate);
      const named = body === undefined ? new URL(path, baseUrl).search : ` ${Object.keys(body as object)}`;
      t.test(`${row.name}${named}: ${way.told}, as if it were nobody's`, async (t) => {
        const [theirs, nobody] = [way.ask(estate), way.ask(nobodys())];
        const foreign = await askAs(baseUrl, stranger, row, theirs);
        const missing = await askAs(baseUrl, stranger, row, nobody);
        t.equal(foreign.status, toldStatus[way.told], foreign.text);
        if (way.told === "an empty list") t.match(foreign.json, { data: [], total: 0 });
        else t.match(foreign.json, { error: way.told });
        t.strictSame(withoutTrace(foreign), withoutTrace(missing), "byte for byte");
        t.strictSame(headersOf(foreign), headersOf(missing));
      });
    }
  }

  t.test("lists without a filter show nothing of it either", async (t) => {
    for (const row of guardedRows.filter(({ method, path }) => method === "GET" && !path.includes("{"))) {
      const reply = await askAs(baseUrl, stranger, row, row.ask(estate));
      t.equal(reply.status, 200, row.name);
      for (const value of [owner.tenantId, ...valuesOf(estate)])
        t.notOk(reply.text.includes(value), row.name);
    }
  });

  t.test("the same external_ref is another pass for another tenant", async (t) => {
    const body = loyaltyCard(surroundings.systemTemplate, estate.externalRef);
    const created = await stranger.post("/api/v1/passes", body);
    t.equal(created.status, 202, created.text);
    t.equal(created.headers["idempotent-replayed"], undefined);
    t.not(created.json.id, estate.passId);
    const path = `/api/v1/passes/by-external-ref/${estate.externalRef}`;
    const put = await stranger.ask(path, { method: "PUT", body });
    t.equal(put.status, 202, put.text);
    t.equal(put.json.id, created.json.id, "the stranger's own");
  });

  t.test("nothing of the owner's has changed", async (t) => {
    t.strictSame(await everythingOf(surroundings), before);
  });
}

/** Operations of a batch are looked at by the worker, which goes on for that. */
export async function otherTenantsInBatches(t: Test, surroundings: Surroundings) {
  const { owner, stranger, secondEstate: estate, worker } = surroundings;

  t.test(
    "operations of a batch find nothing of another tenant's, nor do they say that it is there",
    async (t) => {
      const operations = (of: Estate) => [
        { type: "create", pass: loyaltyCard(of.templateId) },
        { type: "update", pass_id: of.passId, data: {} },
        { type: "revoke", pass_id: of.passId },
        { type: "update", external_ref: of.externalRef, data: {} },
        { type: "revoke", external_ref: of.externalRef },
      ];
      const errorsOf = async (of: Estate) => {
        const { json } = await accepted(stranger.post(batches, { operations: operations(of) }));
        return eventually(async () => {
          const batch = await stranger.get(`${batches}/${json.id}`);
          return batch.json.status === "completed" ? batch.json.errors : undefined;
        });
      };
      const look = async () => (await owner.get(`/api/v1/passes/${estate.passId}/versions`)).text;
      const before = await look();
      worker.release();
      const foreign = await errorsOf(estate);
      t.strictSame(
        foreign.map(({ error }: { error: string }) => error),
        ["invalid_template", "not_found", "not_found", "not_found", "not_found"],
      );
      t.strictSame(foreign, await errorsOf(nobodys()));
      t.equal(await look(), before, "and no pass of the owner's has another version");
      const pass = await owner.get(`/api/v1/passes/${estate.passId}`);
      t.notMatch(pass.json.status, /revok/);
    },
  );
}

/** The bytes, but for the one part that no two answers share. */
function withoutTrace({ text, headers }: Reply): string {
  return text.replaceAll(String(headers["x-trace-id"]), "TRACE");
}

function headersOf({ headers }: Reply): Record<string, unknown> {
  const { date, "x-trace-id": trace, ...rest } = headers;
  return rest;
}

/** Every identifier and reference of an estate. */
function valuesOf({ spare, public: _, credentials: __, ...own }: Estate): string[] {
  return [...Object.values(own), ...Object.values(spare)];
}
