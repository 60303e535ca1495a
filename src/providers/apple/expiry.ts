import type { AppleCredentials } from "../../domain/providers/provider.ts";
import { readCertificate } from "./certificate.ts";

/** When the certificate that signs, and the one above it, are over. Throws when one of them is none. */
export function appleExpiry({ certificate, wwdr }: Pick<AppleCredentials, "certificate" | "wwdr">) {
  return {
    certificateMs: readCertificate(certificate).notAfterMs,
    wwdrMs: readCertificate(wwdr).notAfterMs,
  };
}
