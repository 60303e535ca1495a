import type { Passwright as Client } from "../../../clients/typescript/src/index.ts";
import type { Credentials } from "../support/client.ts";
import type { Passwright } from "../support/passwright.ts";

export type Surroundings = {
  service: Passwright;
  baseUrl: string;
  /** A loyalty card's. */
  templateId: string;
  credentials: Credentials;
  /** Of the demo tenant, with every scope. */
  passwright: Client;
};
