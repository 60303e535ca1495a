import type { Passwright } from "./passwright.ts";
import { ask } from "./requests.ts";
import { googleState } from "./sandbox.ts";

/** What the sandbox's Google does instead of its work: to how many requests, and to which resources. */
export type Fault = {
  status?: 429 | 500 | 503;
  delay_ms?: number;
  times?: number;
  resource_prefix?: string;
};

export async function addFault({ announced }: Passwright, fault: Fault): Promise<void> {
  const reply = await ask(`${announced.sandbox_url}/sandbox/google/faults`, { body: fault });
  if (reply.status !== 201) throw new Error(`no fault: ${reply.status} ${reply.text}`);
}

export async function endFaults({ announced }: Passwright): Promise<void> {
  await ask(`${announced.sandbox_url}/sandbox/google/faults`, { method: "DELETE" });
}

/** What Google stores of a pass, and under which issuer. */
export async function googleObject(service: Passwright, passId: string) {
  const found = (await googleState(service)).objects.find(({ id }) => id.endsWith(`.${passId}`));
  if (found === undefined) throw new Error(`Google has no object of ${passId}`);
  return { ...found, issuerId: found.id.slice(0, found.id.indexOf(".")) };
}
