import type { KeyObject } from "node:crypto";
import { asObject, instantOf, readObject, textOf } from "./json-members.ts";
import { readPublicKey } from "./public-key.ts";

export const protocolVersion = "ECv2SigningOnly";

export type RootKey = { key: KeyObject; expiresAtMs: number };

/** Of what Google publishes; it has two of each protocol at most. */
const mostKeys = 20;

/**
 * The root keys of our protocol in what Google publishes (`{"keys":[{"keyValue","protocolVersion","keyExpiration"}]}`),
 * those included that have expired. Those of other protocols, or without an end, are not for us. Throws where there is none.
 */
export function readRootKeys(text: string): readonly [RootKey, ...RootKey[]] {
  const listed = readObject(text)?.keys;
  if (!Array.isArray(listed)) throw new Error('it is not JSON such as {"keys": […]}');
  const [first, ...others] = listed.slice(0, mostKeys).flatMap(rootKey);
  if (first === undefined) throw new Error(`it holds no key of the protocol ${protocolVersion}`);
  return [first, ...others];
}

/** When the last of them ends (ms). */
export const lastEndOf = (keys: readonly RootKey[]): number =>
  Math.max(...keys.map(({ expiresAtMs }) => expiresAtMs));

function rootKey(entry: unknown): RootKey[] {
  const members = asObject(entry);
  if (members?.protocolVersion !== protocolVersion) return [];
  const key = readPublicKey(textOf(members, "keyValue", 200) ?? "");
  const expiresAtMs = instantOf(members, "keyExpiration");
  return key === null || expiresAtMs === undefined ? [] : [{ key, expiresAtMs }];
}
