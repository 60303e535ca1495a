import type { Certificate } from "./certificate.ts";

/** The identifiers that a Pass Type ID certificate is for. */
export type PassTypeIds = { passTypeIdentifier: string; teamIdentifier: string };

/** Identifiers that a certificate must have; null or absent: whichever it has. */
export type ExpectedIds = { [Name in keyof PassTypeIds]?: string | null };

const renewIt =
  "Give the one that developer.apple.com made for your Pass Type ID (Identifiers, Pass Type IDs).";

/** What is wrong with a certificate, and what to do about it. */
export type Problem = { found: string; remedy: string };

/** The identifiers in a certificate, or why it is none that signs passes. */
export function passTypeIdsOf(certificate: Certificate): PassTypeIds | Problem {
  const { subjectUserId, subjectUnit, isPassTypeCertificate } = certificate;
  const missing = [
    ...(subjectUserId === null ? ["a UID with the pass type identifier"] : []),
    ...(subjectUnit === null ? ["an OU with the team identifier"] : []),
    ...(isPassTypeCertificate ? [] : ["Apple's extension 1.2.840.113635.100.6.1.16"]),
  ];
  if (subjectUserId === null || subjectUnit === null || missing.length > 0) {
    const whose = certificate.x509.subject.replaceAll("\n", ", ");
    const found = `The certificate («${whose}») is not a Pass Type ID certificate: it lacks ${missing.join(" and ")}.`;
    return { found, remedy: renewIt };
  }
  return (
    contradiction(certificate, subjectUserId) ?? {
      passTypeIdentifier: subjectUserId,
      teamIdentifier: subjectUnit,
    }
  );
}

/** Apple writes the pass type into three places. */
function contradiction(
  { subjectCommonName, passTypeExtension }: Certificate,
  userId: string,
): Problem | null {
  const named = /^Pass Type ID: (\S+)$/.exec(subjectCommonName ?? "")?.[1] ?? userId;
  const extension = passTypeExtension ?? userId;
  if (named === userId && extension === userId) return null;
  const found = `The certificate contradicts itself about its pass type: its UID is ${userId}, its CN says ${named}, and Apple's extension ${extension}.`;
  return { found, remedy: renewIt };
}

/** Which identifier is another one than expected; null where none is. */
export function unexpectedId(ids: PassTypeIds, expected: ExpectedIds): Problem | null {
  const { passTypeIdentifier = null, teamIdentifier = null } = expected;
  if (passTypeIdentifier !== null && passTypeIdentifier !== ids.passTypeIdentifier) {
    return {
      found: `The certificate is for the pass type ${ids.passTypeIdentifier}, and ${passTypeIdentifier} is expected: passes that are on phones keep their type, and could not be updated any more.`,
      remedy: `Give a certificate of ${passTypeIdentifier}, or say --pass-type-id ${ids.passTypeIdentifier} if that is what you want.`,
    };
  }
  if (teamIdentifier !== null && teamIdentifier !== ids.teamIdentifier) {
    return {
      found: `The certificate is of the team ${ids.teamIdentifier}, and ${teamIdentifier} is expected.`,
      remedy: `Give a certificate of the team ${teamIdentifier}, or correct --team-id.`,
    };
  }
  return null;
}
