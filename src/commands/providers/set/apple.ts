import { Flags } from "@oclif/core";
import { type App, openCredentialChecks } from "../../../app.ts";
import { BaseCommand } from "../../../cli/base-command.ts";
import { openPkcs12 } from "../../../cli/pkcs12.ts";
import { readFlagFile } from "../../../cli/read-file.ts";
import { appleSummary, sandboxAppleCredentials } from "../../../cli/sandbox-credentials.ts";
import { tenantFlag } from "../../../cli/tenant-flag.ts";
import { invalidRequest } from "../../../domain/errors.ts";
import type { AppleCredentials } from "../../../domain/providers/provider.ts";
import { providerResource } from "../../../domain/providers/resource.ts";
import { setProvider } from "../../../domain/providers/set.ts";

type Given = {
  certificate: string | undefined;
  key: string | undefined;
  p12: string | undefined;
  wwdr: string | undefined;
  "key-passphrase-file": string | undefined;
  "apns-url": string | undefined;
  "push-key": string | undefined;
  "push-key-id": string | undefined;
  "team-id": string | undefined;
  "pass-type-id": string | undefined;
};

export default class ProvidersSetApple extends BaseCommand {
  static override description =
    "Give a tenant its Pass Type ID certificate for Apple Wallet. It is checked whole before it is stored.";
  static override examples = [
    "<%= config.bin %> providers set apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --certificate pass.pem --key pass.key --wwdr AppleWWDRCAG4.cer",
    "<%= config.bin %> providers set apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --p12 pass.p12 --key-passphrase-file secret.txt --wwdr AppleWWDRCAG4.cer",
    "<%= config.bin %> providers set apple --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --sandbox",
  ];
  static override flags = {
    tenant: tenantFlag,
    certificate: Flags.string({ description: "the certificate, PEM or DER", helpValue: "FILE" }),
    key: Flags.string({ description: "its private key, PEM or DER", helpValue: "FILE" }),
    "key-passphrase-file": Flags.string({
      description: "holds the passphrase of the key or the .p12",
      helpValue: "FILE",
    }),
    p12: Flags.string({
      description: "certificate and key together, as a keychain exports them",
      helpValue: "FILE",
      exclusive: ["certificate", "key"],
    }),
    wwdr: Flags.string({
      description: "Apple's intermediate that issued the certificate",
      helpValue: "FILE",
    }),
    "pass-type-id": Flags.string({
      description:
        "the pass type identifier that the certificate must be for (else the one that the tenant has already)",
      helpValue: "ID",
    }),
    "team-id": Flags.string({
      description: "the team identifier that the certificate must be of",
      helpValue: "ID",
    }),
    "apns-url": Flags.string({ description: "another APNs than Apple's", helpValue: "URL" }),
    "push-key": Flags.string({
      description: "a key for APNs (.p8), which authenticates pushes in place of the certificate",
      helpValue: "FILE",
      dependsOn: ["push-key-id"],
    }),
    "push-key-id": Flags.string({
      description: "the id of that key, as Apple shows it",
      helpValue: "ID",
      dependsOn: ["push-key"],
    }),
    sandbox: Flags.boolean({
      description: "let the sandbox issue a certificate",
      exclusive: ["certificate", "key", "p12", "wwdr", "pass-type-id", "team-id", "apns-url", "push-key"],
    }),
  };

  async run() {
    const { flags } = await this.parse(ProvidersSetApple);
    // A flag that is not given is undefined, whatever its type says.
    const sandbox = flags.sandbox === true;
    return this.withApp(flags, async (app) => {
      const credentials = sandbox
        ? await sandboxAppleCredentials(app.clock, app.config.sandboxUrl)
        : await readCredentials(app, flags.tenant, flags as Given);
      const act = {
        action: "providers.set",
        tenant_id: flags.tenant,
        target: { type: "provider", id: "apple" },
        details: { sandbox, ...appleSummary(credentials) },
      };
      const configuration = await this.audited(app, act, () =>
        setProvider(app, {
          tenantId: flags.tenant,
          wallet: "apple",
          sandbox,
          summary: appleSummary(credentials),
          credentials,
        }),
      );
      this.log(`Passes go out as ${credentials.passTypeIdentifier}, team ${credentials.teamIdentifier}.`);
      return providerResource(configuration);
    });
  }
}

async function readCredentials(app: App, tenantId: string, flags: Given): Promise<AppleCredentials> {
  const passphraseFile = flags["key-passphrase-file"];
  const passphrase =
    passphraseFile === undefined
      ? null
      : readFlagFile("key-passphrase-file", passphraseFile)
          .toString("utf8")
          .replace(/\r?\n$/, "");
  const pair = await readPair(flags, passphrase);
  const checks = await openCredentialChecks();
  return checks.apple(app, {
    ...pair,
    ...(flags.wwdr !== undefined && { wwdr: readFlagFile("wwdr", flags.wwdr) }),
    ...(flags["apns-url"] !== undefined && { apnsUrl: flags["apns-url"] }),
    ...(flags["push-key"] !== undefined && {
      pushKey: { key: readFlagFile("push-key", flags["push-key"]), keyId: flags["push-key-id"] ?? "" },
    }),
    expected: {
      passTypeIdentifier: flags["pass-type-id"] ?? (await presentPassType(app, tenantId)),
      teamIdentifier: flags["team-id"] ?? null,
    },
    names: namesOf(flags),
  });
}

/** What the passes of the tenant are that are on phones; null where it has none of Apple's yet. */
async function presentPassType(app: App, tenantId: string): Promise<string | null> {
  const configuration = await app.providerConfigurations.find(tenantId, "apple");
  if (configuration === null || configuration.sandbox) return null;
  return configuration.summary.pass_type_identifier ?? null;
}

/** What refusals call the parts. */
function namesOf({ p12 }: Given) {
  return {
    certificate: p12 === undefined ? "--certificate" : "--p12",
    key: p12 === undefined ? "--key" : "--p12",
    keyPassphrase: "--key-passphrase-file",
    wwdr: "--wwdr",
    apnsUrl: "--apns-url",
    pushKey: "--push-key",
    pushKeyId: "--push-key-id",
  };
}

async function readPair(flags: Given, passphrase: string | null) {
  if (flags.p12 !== undefined) return openPkcs12(flags.p12, passphrase);
  if (flags.certificate === undefined || flags.key === undefined) {
    throw invalidRequest([
      { path: "--certificate", message: "and --key are needed, or --p12, or --sandbox" },
    ]);
  }
  return {
    certificate: readFlagFile("certificate", flags.certificate),
    key: readFlagFile("key", flags.key),
    ...(passphrase !== null && { keyPassphrase: passphrase }),
  };
}
