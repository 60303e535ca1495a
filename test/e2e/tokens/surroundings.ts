import type { Credentials } from "../support/client.ts";
import type { Passwright } from "../support/passwright.ts";

/** What is running, and who may ask it for tokens. */
export type Surroundings = {
  service: Passwright;
  masterKey: string;
  baseUrl: string;
  /** A backend application of the demo tenant, */
  credentials: Credentials;
  /** two further applications of the same tenant, */
  issuer: Credentials;
  reporting: Credentials;
  /** and a backend application of another tenant. */
  stranger: Credentials;
};
