import t from "tap";
import type { AcceptedPass } from "../../../src/domain/passes/pass.ts";
import { revokePass } from "../../../src/domain/passes/revoke.ts";
import { keyOf, openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

t.test("of two equal revocations at the same moment, the later gets the earlier one's answer", async (t) => {
  const issuer = await openIssuer(await openStore(t));
  const { passId } = await issuer.create();
  const request = {
    tenantId: issuer.tenantId,
    idempotency: keyOf("once", {}),
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    workClass: "interactive",
    name: { passId },
  } as const;
  let earlier: AcceptedPass | undefined;
  const recall: typeof issuer.idempotency.recall = async (...asked) => {
    const kept = await issuer.idempotency.recall(...asked);
    // Right between this look and the one at the pass.
    earlier ??= await revokePass(issuer, request);
    return kept;
  };
  const idempotency = { ...issuer.idempotency, recall };
  const later = await revokePass({ ...issuer, idempotency }, request);
  t.strictSame(later, { ...earlier, replayed: true });
  const other = { ...request, idempotency: keyOf("another", {}) };
  await t.rejects(revokePass(issuer, other), { code: "invalid_state" });
});
