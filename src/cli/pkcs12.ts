import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programPath } from "../config.ts";
import { PasswrightError } from "../domain/errors.ts";
import { readFlagFile } from "./read-file.ts";

/**
 * Certificate and key of a PKCS #12 file that --p12 names, as a keychain exports it, in PEM. Node cannot take them out, OpenSSL
 * can; older exports are encrypted with RC2, which OpenSSL 3 knows only with `-legacy`. The passphrase (null: none was given)
 * travels by the environment, where `ps` does not show it.
 */
export async function openPkcs12(
  path: string,
  passphrase: string | null,
): Promise<{ certificate: string; key: string }> {
  const file = readFlagFile("p12", path);
  const run = (options: readonly string[]) => {
    const running = promisify(execFile)(
      "openssl",
      ["pkcs12", "-passin", "env:PKCS12_PASSPHRASE", ...options],
      { env: { PATH: programPath(), PKCS12_PASSPHRASE: passphrase ?? "" } },
    );
    // It says itself why it does not read on.
    running.child.stdin?.on("error", () => {}).end(file);
    return running;
  };
  const read = async (options: readonly string[]): Promise<string> => {
    try {
      return (await run(options)).stdout;
    } catch {
      return (await run([...options, "-legacy"])).stdout;
    }
  };
  try {
    const [certificate, key] = await Promise.all([read(["-nokeys"]), read(["-nocerts", "-nodes"])]);
    return { certificate: holding("CERTIFICATE", certificate), key: holding("PRIVATE KEY", key) };
  } catch (cause) {
    if (cause instanceof PasswrightError) throw cause;
    throw new PasswrightError("invalid_configuration", whyNot(path, passphrase, cause), { cause });
  }
}

function holding(what: "CERTIFICATE" | "PRIVATE KEY", pem: string): string {
  if (pem.includes(`${what}-----`)) return pem;
  throw new PasswrightError(
    "invalid_configuration",
    `--p12: The file holds no ${what.toLowerCase()}. Export the certificate together with its private key.`,
  );
}

function whyNot(path: string, passphrase: string | null, cause: unknown): string {
  const { code, stderr } = cause as { code?: unknown; stderr?: unknown };
  if (code === "ENOENT") {
    return "--p12: Reading a .p12 takes the openssl command, which is not installed. Install it, or give --certificate and --key.";
  }
  if (!/invalid password/.test(String(stderr))) {
    return `--p12: ${path} is no PKCS #12 file. Give what a keychain exports as .p12, or --certificate and --key.`;
  }
  return passphrase === null
    ? `--p12: ${path} has a passphrase, and none was given. Give the file that holds it by --key-passphrase-file.`
    : `--key-passphrase-file: The passphrase does not open ${path}. Give the one that it was exported with.`;
}
