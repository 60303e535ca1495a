import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createRequire } from "node:module";
import { importSPKI, jwtVerify } from "jose";
import t from "tap";
import { longestEmail } from "../../../src/providers/google/credentials.ts";
import { saveLink } from "../../../src/providers/google/save-link.ts";
import { createdAtMs, passId, samplePass } from "./fixtures/sample-pass.ts";
import { clientEmail, credentialsFor, issuerId, publicKey } from "./fixtures/service-account.ts";

/** The part used here; the package has no types of its own. */
const jsonwebtoken: {
  verify(jwt: string, key: string | KeyObject, options?: { algorithms: string[]; audience: string }): unknown;
  decode(jwt: string): { payload: object };
} = createRequire(import.meta.url)("jsonwebtoken");

const credentials = credentialsFor("http://127.0.0.1:1");
const baseUrl = "https://passes.example.com:8443/wallet";
const prefix = "https://pay.google.com/gp/v/save/";
const linkOf = (kind: Parameters<typeof saveLink>[0]["kind"], url = baseUrl) =>
  saveLink({ kind, pass: samplePass(), baseUrl: url }, credentials);

t.test("the link carries a JWT that stock libraries verify, with the claims that Google wants", async (t) => {
  const link = linkOf("loyalty");
  t.ok(link.startsWith(prefix));
  const jwt = link.slice(prefix.length);
  const claims = {
    iss: clientEmail,
    aud: "google",
    typ: "savetowallet",
    iat: Math.floor(createdAtMs / 1000),
    origins: ["https://passes.example.com:8443"],
    payload: { loyaltyObjects: [{ id: `${issuerId}.${passId}` }] },
  };
  t.strictSame(jsonwebtoken.verify(jwt, publicKey, { algorithms: ["RS256"], audience: "google" }), claims);
  const { payload, protectedHeader } = await jwtVerify(jwt, await importSPKI(publicKey, "RS256"));
  t.strictSame(payload, claims);
  t.strictSame(protectedHeader, { alg: "RS256", typ: "JWT" });
  t.throws(() => jsonwebtoken.verify(`${jwt.slice(0, -4)}AAAA`, createPublicKey(publicKey)));
});

t.test("each kind has its own list in the payload", async (t) => {
  for (const kind of ["offer", "eventTicket", "flight", "transit", "giftCard", "generic"] as const) {
    const claims = jsonwebtoken.decode(linkOf(kind).slice(prefix.length));
    t.strictSame(Object.keys(claims.payload), [`${kind}Objects`]);
  }
});

t.test("the same pass always gets the same link, far below 1,800 characters", async (t) => {
  t.equal(linkOf("eventTicket"), linkOf("eventTicket"));
  t.ok(linkOf("eventTicket").length < 1000, "with a usual origin");
  // The most that credentials and settings may be: see readGoogleCredentials, and RFC 1035 section 2.3.4 for host names.
  const host = `${"a".repeat(63)}.`.repeat(3) + "a".repeat(61);
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 4096,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const longest = {
    ...{ ...credentials, privateKey, issuerId: "9".repeat(20) },
    clientEmail: `${"a".repeat(64)}@${"b".repeat(longestEmail - 65)}`,
  };
  t.equal(longest.clientEmail.length, longestEmail);
  const link = saveLink(
    { kind: "eventTicket", pass: samplePass(), baseUrl: `https://${host}:65535/` },
    longest,
  );
  t.ok(link.length < 1800, `${link.length} characters`);
});
