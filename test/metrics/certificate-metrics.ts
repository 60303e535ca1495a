import t from "tap";
import type { CertificateExpiry } from "../../src/domain/providers/certificate-expiry.ts";
import { createCertificateMetrics } from "../../src/metrics/certificate-metrics.ts";

const expiry = (tenantId: string, endsAtMs: number): CertificateExpiry => ({
  ...{ tenantId, passTypeIdentifier: "pass.com.example", certificate: "signing", endsAtMs },
});
const name = "passwright_apple_certificate_expires_timestamp_seconds";

t.test("each certificate shows when it ends, and is read anew after an hour only", async (t) => {
  let nowMs = 0;
  let soonest = [expiry("a", 2000), expiry("b", 3000)];
  const asked: number[] = [];
  const metrics = createCertificateMetrics(
    async (most) => {
      asked.push(most);
      return soonest;
    },
    () => nowMs,
  );
  const text = await metrics.text();
  t.match(text, `${name}{tenant="a",pass_type="pass.com.example"} 2\n`);
  t.match(text, `${name}{tenant="b",pass_type="pass.com.example"} 3`);
  soonest = [expiry("a", 9000)];
  nowMs = 3_599_999;
  t.equal(await metrics.text(), text);
  nowMs = 3_600_000;
  const later = await metrics.text();
  t.match(later, `${name}{tenant="a",pass_type="pass.com.example"} 9`);
  t.notMatch(later, 'tenant="b"');
  t.strictSame(asked, [50, 50]);
});

t.test("what was read stays while the store is away, and is read as soon as it is back", async (t) => {
  let nowMs = 0;
  let isAway = false;
  const metrics = createCertificateMetrics(
    async () => (isAway ? Promise.reject(new Error("away")) : [expiry("a", nowMs + 1000)]),
    () => nowMs,
  );
  const text = await metrics.text();
  isAway = true;
  nowMs = 4_000_000;
  t.equal(await metrics.text(), text);
  isAway = false;
  t.match(await metrics.text(), '"} 4001');
});
