import { generateKeyPairSync } from "node:crypto";
import t from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { readGoogleCredentials } from "../../../src/providers/google/credentials.ts";
import { clientEmail, issuerId, keyFile, privateKey } from "./fixtures/service-account.ts";

function problem(serviceAccount: string, id = issuerId, apiUrl?: string): string {
  try {
    readGoogleCredentials({ serviceAccount, issuerId: id, ...(apiUrl !== undefined && { apiUrl }) });
  } catch (error) {
    if (error instanceof PasswrightError && error.code === "invalid_configuration") return error.detail;
    throw error;
  }
  return "";
}

t.test("a key file and an issuer id become credentials for Google's own addresses", async (t) => {
  t.strictSame(readGoogleCredentials({ serviceAccount: `\uFEFF${keyFile()}`, issuerId: ` ${issuerId}\n` }), {
    issuerId,
    clientEmail,
    privateKey,
    privateKeyId: "0123456789abcdef0123456789abcdef01234567",
    tokenUrl: "https://oauth2.googleapis.com/token",
    apiUrl: "https://walletobjects.googleapis.com",
  });
});

t.test("a file without token_uri and key id is taken, too", async (t) => {
  const serviceAccount = keyFile({ token_uri: undefined, private_key_id: undefined });
  const credentials = readGoogleCredentials({ serviceAccount, issuerId });
  t.equal(credentials.tokenUrl, "https://oauth2.googleapis.com/token");
  t.notOk("privateKeyId" in credentials);
});

t.test("the API address is kept without its version path", async (t) => {
  for (const end of ["", "/", "/walletobjects/v1", "/walletobjects/v1/"]) {
    const apiUrl = `http://127.0.0.1:8080${end}`;
    const credentials = readGoogleCredentials({ serviceAccount: keyFile(), issuerId, apiUrl });
    t.equal(credentials.apiUrl, "http://127.0.0.1:8080", apiUrl);
  }
});

t.test("each mistake is named", async (t) => {
  const key = (type: "ec" | "rsa", options: object) =>
    (generateKeyPairSync as (type: string, options: object) => { privateKey: { export(o: object): string } })(
      type,
      options,
    ).privateKey.export({ type: "pkcs8", format: "pem" });
  t.match(problem("{not json"), /not JSON/);
  t.match(problem("[]"), /not a JSON object/);
  t.match(problem(keyFile({ type: "authorized_user" })), /type must be "service_account".*"authorized_user"/);
  t.match(problem(keyFile({ type: undefined })), /but is missing/);
  t.match(problem(keyFile({ client_email: undefined })), /client_email is missing/);
  t.match(problem(keyFile({ client_email: "nobody" })), /client_email is not an e-mail address/);
  t.match(
    problem(keyFile({ client_email: `${"a".repeat(250)}@b.cd` })),
    /client_email must have 254 bytes at most/,
  );
  t.match(problem(keyFile({ private_key: 7 })), /private_key must be a non-empty string/);
  t.match(problem(keyFile({ private_key: "secret" })), /private_key is not a private key in PEM/);
  t.match(
    problem(keyFile({ private_key: key("ec", { namedCurve: "P-256" }) })),
    /must be an RSA key, but is ec/,
  );
  t.match(
    problem(keyFile({ private_key: key("rsa", { modulusLength: 1024 }) })),
    /2048 to 4096 bits, but has 1024/,
  );
  t.match(problem(keyFile({ token_uri: "oauth2" })), /token_uri is not an http or https URL/);
  t.match(problem(keyFile({ token_uri: "http://example.com/token" })), /token_uri must be https/);
  t.match(problem(keyFile(), "3388x"), /issuer_id must be .* digits only/);
  t.match(problem(keyFile(), issuerId, "ftp://example.com"), /api_url is not an http or https URL/);
  t.match(problem(keyFile(), issuerId, "https://me@example.com"), /api_url must have no user/);
});

t.test("several mistakes are named at once, and the key in none of them", async (t) => {
  const said = problem(keyFile({ client_email: "", private_key: `${privateKey.slice(0, 200)}` }), "");
  t.match(said, /client_email.*private_key.*issuer_id/);
  t.notMatch(said, "MII");
});

t.test("a file that is no JSON is not quoted", async (t) => {
  const error = t.throws(() => readGoogleCredentials({ serviceAccount: privateKey, issuerId }));
  t.notMatch(JSON.stringify([String(error), (error as Error).cause]), "BEGIN");
});
