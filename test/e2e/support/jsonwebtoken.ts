import { createRequire } from "node:module";

type Expected = { algorithms: string[]; audience: string; issuer: string };
type Jsonwebtoken = {
  verify(token: string, key: string, expected: Expected): ReturnType<typeof JSON.parse>;
};

// Loaded like this because it comes without types.
const library: Jsonwebtoken = createRequire(import.meta.url)("jsonwebtoken");

/** The claims, by the verifier that most of Node's world uses; throws when it is not content. */
export function verifyByJsonwebtoken(token: string, publicKeyPem: string, expected: Expected) {
  return library.verify(token, publicKeyPem, expected);
}
