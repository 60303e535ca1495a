import type { Authority } from "../authority/authority.ts";
import { json } from "../exchange.ts";
import { createServiceAccount, newIssuerId, type ServiceAccount } from "../google/service-accounts.ts";
import type { Journal } from "../journal.ts";
import { readObject, text } from "./body.ts";
import type { Route } from "./router.ts";

export type CredentialParts = {
  authority: Authority;
  accounts: Journal<ServiceAccount>;
  controlUrl: () => string;
  apnsUrl: () => string;
  nowMs: () => number;
};

/** What Apple's developer portal and Google's consoles hand out. */
export function credentialRoutes(parts: CredentialParts): Route[] {
  return [
    [
      "POST",
      "/credentials/apple",
      async (request) => {
        const body = readObject(request, ["pass_type_identifier", "team_identifier", "key_type"]);
        const passTypeIdentifier =
          text(body, "pass_type_identifier", /^pass(\.[A-Za-z0-9-]+)+$/) ?? "pass.org.passwright.sandbox";
        const teamIdentifier = text(body, "team_identifier", /^[A-Z0-9]{10}$/) ?? "PWSANDBOX0";
        const keyType = text(body, "key_type", /^(rsa|ec)$/) === "ec" ? "ec" : "rsa";
        const issued = await parts.authority.issuePassCertificate({
          passTypeIdentifier,
          teamIdentifier,
          keyType,
        });
        return json(201, {
          certificate: issued.certificate,
          key: issued.key,
          wwdr: parts.authority.wwdrPem,
          root: parts.authority.rootPem,
          pass_type_identifier: passTypeIdentifier,
          team_identifier: teamIdentifier,
          apns_url: parts.apnsUrl(),
        });
      },
    ],
    [
      "POST",
      "/credentials/google",
      async (request) => {
        const body = readObject(request, ["issuer_id"]);
        const issuerId = text(body, "issuer_id", /^[1-9]\d{0,19}$/) ?? newIssuerId();
        const serviceAccount = await createServiceAccount(parts.accounts, {
          issuerId,
          tokenUrl: `${parts.controlUrl()}/token`,
          nowMs: parts.nowMs(),
        });
        return json(201, {
          issuer_id: issuerId,
          service_account: serviceAccount,
          api_url: parts.controlUrl(),
        });
      },
    ],
  ];
}
