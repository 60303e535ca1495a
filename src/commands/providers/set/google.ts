import { Flags } from "@oclif/core";
import { type App, openCredentialChecks } from "../../../app.ts";
import { BaseCommand } from "../../../cli/base-command.ts";
import { readFlagFile } from "../../../cli/read-file.ts";
import { googleSummary, sandboxGoogleCredentials } from "../../../cli/sandbox-credentials.ts";
import { tenantFlag } from "../../../cli/tenant-flag.ts";
import { invalidRequest } from "../../../domain/errors.ts";
import type { GoogleCredentials } from "../../../domain/providers/provider.ts";
import { providerResource } from "../../../domain/providers/resource.ts";
import { setProvider } from "../../../domain/providers/set.ts";

type Given = {
  "service-account": string | undefined;
  "issuer-id": string | undefined;
  "api-url": string | undefined;
};

export default class ProvidersSetGoogle extends BaseCommand {
  static override description =
    "Give a tenant its service account and issuer for Google Wallet. Google is asked before they are stored.";
  static override examples = [
    "<%= config.bin %> providers set google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --service-account key.json --issuer-id 3388000000012345678",
    "<%= config.bin %> providers set google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --sandbox",
  ];
  static override flags = {
    tenant: tenantFlag,
    "service-account": Flags.string({
      description: "the service account's key file; - for standard input",
      helpValue: "FILE",
    }),
    "issuer-id": Flags.string({ description: "the issuer's number", helpValue: "N" }),
    "api-url": Flags.string({
      description: "another Google than Google's, without /walletobjects/v1",
      helpValue: "URL",
    }),
    sandbox: Flags.boolean({
      description: "let the sandbox make a service account",
      exclusive: ["service-account", "issuer-id", "api-url"],
    }),
  };

  async run() {
    const { flags } = await this.parse(ProvidersSetGoogle);
    // A flag that is not given is undefined, whatever its type says.
    const sandbox = flags.sandbox === true;
    return this.withApp(flags, async (app) => {
      const credentials = sandbox
        ? await sandboxGoogleCredentials(app.clock, app.config.sandboxUrl)
        : await readCredentials(app, flags as Given);
      const act = {
        action: "providers.set",
        tenant_id: flags.tenant,
        target: { type: "provider", id: "google" },
        details: { sandbox, ...googleSummary(credentials) },
      };
      const configuration = await this.audited(app, act, () =>
        setProvider(app, {
          tenantId: flags.tenant,
          wallet: "google",
          sandbox,
          summary: googleSummary(credentials),
          credentials,
        }),
      );
      this.log(`Passes go out under issuer ${credentials.issuerId}, by ${credentials.clientEmail}.`);
      return providerResource(configuration);
    });
  }
}

async function readCredentials(app: App, flags: Given): Promise<GoogleCredentials> {
  const file = flags["service-account"];
  const issuerId = flags["issuer-id"];
  if (file === undefined || issuerId === undefined) {
    throw invalidRequest([
      { path: "--service-account", message: "and --issuer-id are needed, or --sandbox" },
    ]);
  }
  const checks = await openCredentialChecks(app.config);
  const credentials = checks.google({
    serviceAccount: readFlagFile("service-account", file).toString("utf8"),
    issuerId,
    ...(flags["api-url"] !== undefined && { apiUrl: flags["api-url"] }),
  });
  await checks.googleOnline(app, credentials, AbortSignal.timeout(30_000));
  return credentials;
}
