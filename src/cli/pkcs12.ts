import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programPath } from "../config.ts";
import { PasswrightError } from "../domain/errors.ts";

/**
 * Certificate and key of a PKCS #12 file, as a keychain exports it, in PEM. Node cannot take them out, OpenSSL can; older
 * exports are encrypted with RC2, which OpenSSL 3 knows only with `-legacy`. The passphrase travels by the
 * environment, where `ps` does not show it.
 */
export async function openPkcs12(
  path: string,
  passphrase: string,
): Promise<{ certificate: string; key: string }> {
  const run = (options: readonly string[]) =>
    promisify(execFile)("openssl", ["pkcs12", "-in", path, "-passin", "env:PKCS12_PASSPHRASE", ...options], {
      env: { PATH: programPath(), PKCS12_PASSPHRASE: passphrase },
    });
  const read = async (options: readonly string[]): Promise<string> => {
    try {
      return (await run(options)).stdout;
    } catch {
      return (await run([...options, "-legacy"])).stdout;
    }
  };
  try {
    const [certificate, key] = await Promise.all([read(["-nokeys"]), read(["-nocerts", "-nodes"])]);
    return { certificate, key };
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new PasswrightError(
      "invalid_configuration",
      missing
        ? "Reading a .p12 takes the openssl command, which is not installed."
        : `${path} cannot be opened: it is no PKCS #12 file, or the passphrase is wrong.`,
      { cause },
    );
  }
}
