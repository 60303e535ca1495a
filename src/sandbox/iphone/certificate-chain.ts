import type { X509Certificate } from "node:crypto";
import { type DerValue, derTags, derValues, dotted } from "./der-values.ts";
import { PassRefused } from "./refusal.ts";

const longestChain = 8;

/**
 * The certificates from a signer up, each issued by the next and valid now. With `roots` it ends below one of them; without, at
 * the last that there is, and that must be above the signer. Throws PassRefused.
 */
export function chainAbove(
  signer: X509Certificate,
  known: readonly X509Certificate[],
  { roots, nowMs }: { roots: readonly X509Certificate[]; nowMs: number },
): X509Certificate[] {
  const chain = [signer];
  for (let top = signer; chain.length <= longestChain; ) {
    requireValid(top, nowMs);
    const root = roots.find((candidate) => isIssuedBy(top, candidate));
    if (root !== undefined) {
      requireValid(root, nowMs);
      return [...chain, root];
    }
    const next = known.find((candidate) => !chain.includes(candidate) && isIssuedBy(top, candidate));
    if (next === undefined) break;
    chain.push(next);
    top = next;
  }
  const issuer = oneLine(chain.at(-1)?.issuer ?? "");
  if (roots.length > 0)
    throw new PassRefused(`The certificate chain leads to no root that is trusted: it ends at «${issuer}».`);
  if (chain.length === 1)
    throw new PassRefused(`The signature lacks the certificate of the signer's issuer, «${issuer}».`);
  return chain;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function requireValid(certificate: X509Certificate, nowMs: number): void {
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  const name = oneLine(certificate.subject);
  if (nowMs < from.getTime())
    throw new PassRefused(`The certificate «${name}» is not valid before ${from.toISOString()}.`);
  if (nowMs > to.getTime())
    throw new PassRefused(`The certificate «${name}» expired on ${to.toISOString()}.`);
}

/** A distinguished name as one line of text. */
export function oneLine(name: string): string {
  return name.replaceAll("\n", ", ");
}

const userId = "0.9.2342.19200300.100.1.1";
const organizationalUnit = "2.5.4.11";

/** Whose certificate it is: Apple writes the pass type identifier into the subject's UID, the team into its OU. */
export function passIdentity(certificate: X509Certificate): { passType: string | null; team: string | null } {
  const [, , , , subject] = bodyOf(certificate);
  const attributes = derValues(subject?.content ?? Buffer.alloc(0)).flatMap(({ content }) =>
    derValues(content),
  );
  const attributeOf = (type: string): string | null => {
    for (const attribute of attributes) {
      const [oid, value] = derValues(attribute.content);
      if (oid !== undefined && value !== undefined && dotted(oid.content) === type)
        return value.content.toString("utf8");
    }
    return null;
  };
  return { passType: attributeOf(userId), team: attributeOf(organizationalUnit) };
}

/** Issuer and serial number of a certificate, as DER: how a signature names its signer. */
export function issuerAndSerial(certificate: X509Certificate): Buffer {
  const [serial, , issuer] = bodyOf(certificate);
  return Buffer.concat([issuer?.raw ?? Buffer.alloc(0), serial?.raw ?? Buffer.alloc(0)]);
}

/** Serial number, algorithm, issuer, validity, subject, … (RFC 5280 section 4.1), without the version, which not all have. */
function bodyOf(certificate: X509Certificate): DerValue[] {
  const [whole] = derValues(certificate.raw);
  const [body] = derValues(whole?.content ?? Buffer.alloc(0));
  const members = derValues(body?.content ?? Buffer.alloc(0));
  return members[0]?.tag === derTags.context(0) ? members.slice(1) : members;
}
