import { PasswrightError } from "../../domain/errors.ts";

/** The parts of what an operator gives. */
export type CredentialPart =
  | "certificate"
  | "key"
  | "keyPassphrase"
  | "wwdr"
  | "apnsUrl"
  | "pushKey"
  | "pushKeyId";

/** What each part is called where it is given, such as `--wwdr`; what has no name is told without. */
export type PartNames = Partial<Record<CredentialPart, string>>;

/**
 * One thing that is wrong with credentials: `found`, then what to do about it. With the name of its part in front where it has
 * one.
 */
export function credentialFault(
  names: PartNames,
  part: CredentialPart,
  { found, remedy, cause }: { found: string; remedy: string; cause?: unknown },
): PasswrightError {
  const name = names[part];
  const message = `${found} ${remedy}`;
  return new PasswrightError("invalid_configuration", name === undefined ? message : `${name}: ${message}`, {
    ...(name !== undefined && { details: [{ path: name, message }] }),
    ...(cause !== undefined && { cause }),
  });
}
