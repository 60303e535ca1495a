import type { Test } from "tap";
import { nobodys } from "./estate.ts";
import { askAs, guardedRows, type Surroundings } from "./surroundings.ts";

/** What a request bears on that changes something, other than the one for a token. */
export async function otherTenantsKeys(t: Test, surroundings: Surroundings) {
  const { baseUrl, owner, stranger, secondEstate: estate } = surroundings;

  t.test("every operation that changes something takes one", async (t) => {
    for (const { name, method, idempotent } of guardedRows) t.equal(idempotent, method !== "GET", name);
  });

  for (const row of guardedRows.filter(({ idempotent }) => idempotent)) {
    t.test(
      `${row.name}: a repeat is answered as before, and a stranger's request as if it were the first`,
      async (t) => {
        const key = { "idempotency-key": crypto.randomUUID() };
        const call = { ...row.ask(estate), headers: key };
        const first = await askAs(baseUrl, owner, row, call);
        t.equal(first.status, row.status, first.text);
        t.equal(first.headers["idempotent-replayed"], undefined);
        const again = await askAs(baseUrl, owner, row, call);
        t.equal(again.status, first.status, again.text);
        t.equal(again.text, first.text);
        t.equal(again.headers.location, first.headers.location);
        t.equal(again.headers["idempotent-replayed"], "true");

        const theirs = await askAs(baseUrl, stranger, row, call);
        t.equal(theirs.headers["idempotent-replayed"], undefined);
        t.notOk(theirs.text !== "" && theirs.text === first.text);
        const way = row.path.includes("{id}") ? { told: "not_found" } : row.naming?.[0];
        if (way === undefined) t.equal(theirs.status, row.status, theirs.text);
        else t.match(theirs.json, { error: way.told });
        for (const value of [owner.tenantId, first.json?.id, first.json?.job_id]) {
          if (value !== undefined && !call.path.includes(value)) t.notOk(theirs.text.includes(value));
        }
        const missing = await askAs(baseUrl, stranger, row, { ...row.ask(nobodys()), headers: key });
        if (way !== undefined) t.equal(missing.status, theirs.status, "just as with nobody's");
      },
    );
  }
}
