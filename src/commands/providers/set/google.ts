import { Flags } from "@oclif/core";
import { type App, openCredentialChecks } from "../../../app.ts";
import { BaseCommand } from "../../../cli/base-command.ts";
import { readFlagFile } from "../../../cli/read-file.ts";
import { googleSummary, sandboxGoogleCredentials } from "../../../cli/sandbox-credentials.ts";
import { printWarning } from "../../../cli/template-report.ts";
import { tenantFlag } from "../../../cli/tenant-flag.ts";
import { invalidRequest } from "../../../domain/errors.ts";
import { isDemoMode } from "../../../domain/providers/configuration.ts";
import { setDemoMode } from "../../../domain/providers/demo-mode.ts";
import type { GoogleCredentials } from "../../../domain/providers/provider.ts";
import { isGooglesOwn, whyNotPublic } from "../../../domain/providers/public-address.ts";
import { providerResource } from "../../../domain/providers/resource.ts";
import { setProvider } from "../../../domain/providers/set.ts";
import { findTenant } from "../../../domain/tenants/find.ts";

type Given = {
  "service-account": string | undefined;
  "issuer-id": string | undefined;
  "api-url": string | undefined;
};

export default class ProvidersSetGoogle extends BaseCommand {
  static override summary = "Give a tenant its service account and issuer for Google Wallet.";
  static override description =
    "Google is asked before they are stored. That an issuer is in demo mode, where only its test accounts can save passes, Google tells nobody: say so with --demo-mode, and --no-demo-mode once it has publishing access. Either alone changes just that; where neither is given, it stays as it was for the same issuer. Passes are marked accordingly from their next update on.";
  static override examples = [
    "<%= config.bin %> providers set google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --service-account key.json --issuer-id 3388000000012345678",
    "<%= config.bin %> providers set google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --sandbox",
    "<%= config.bin %> providers set google --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --no-demo-mode",
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
    "demo-mode": Flags.boolean({
      description: "the issuer has no publishing access yet",
      allowNo: true,
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
    const demoMode = flags["demo-mode"] as boolean | undefined;
    return this.withApp(flags, async (app) => {
      if (demoMode !== undefined && isAlone(flags)) return this.changeDemoMode(app, flags.tenant, demoMode);
      const credentials = sandbox
        ? await sandboxGoogleCredentials(app.clock, app.config.sandboxUrl)
        : await readCredentials(app, flags as Given);
      const isDemo = demoMode ?? (await wasDemoMode(app, flags.tenant, credentials));
      const summary = { ...googleSummary(credentials), ...(isDemo && { demo_mode: "true" }) };
      const act = {
        action: "providers.set",
        tenant_id: flags.tenant,
        target: { type: "provider", id: "google" },
        details: { sandbox, ...summary },
      };
      const configuration = await this.audited(app, act, () =>
        setProvider(app, { tenantId: flags.tenant, wallet: "google", sandbox, summary, credentials }),
      );
      const why = isGooglesOwn(credentials) ? whyNotPublic(app.config.baseUrl) : null;
      if (why !== null) {
        const message = `${why}: Google cannot fetch the pictures of passes there. Give serve and worker the public https address.`;
        printWarning({ path: "PASSWRIGHT_BASE_URL", message });
      }
      this.log(`Passes go out under issuer ${credentials.issuerId}, by ${credentials.clientEmail}.`);
      if (isDemo) this.log(demoWords);
      return providerResource(configuration);
    });
  }

  private async changeDemoMode(app: App, tenantId: string, demoMode: boolean) {
    const tenant = await findTenant(app, tenantId);
    const act = {
      action: "providers.set",
      tenant_id: tenant.id,
      target: { type: "provider", id: "google" },
      details: { demo_mode: demoMode },
    };
    const { configuration, changed } = await this.audited(app, act, () =>
      setDemoMode(app, { tenantId: tenant.id, demoMode }),
    );
    const now = demoMode ? demoWords : "Everybody can save its passes; each is marked so by its next update.";
    this.log(changed ? now : `That was so already. ${now}`);
    return { ...providerResource(configuration), changed };
  }
}

const demoWords = "The issuer is in demo mode: only its test accounts can save passes, which are marked so.";

function isAlone(flags: object): boolean {
  const { sandbox, ...given } = flags as Given & { sandbox?: boolean };
  return sandbox !== true && credentialFlags.every((name) => given[name] === undefined);
}

const credentialFlags = ["service-account", "issuer-id", "api-url"] as const;

async function wasDemoMode(app: App, tenantId: string, { issuerId }: GoogleCredentials): Promise<boolean> {
  const before = await app.providerConfigurations.find(tenantId, "google");
  return before !== null && before.summary.issuer_id === issuerId && isDemoMode(before);
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
