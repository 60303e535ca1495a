import { type App, openHasher } from "../app.ts";
import { createApplication } from "../domain/applications/create.ts";
import type { Package, Plan } from "../domain/billing/catalog.ts";
import { PasswrightError } from "../domain/errors.ts";
import { setProvider } from "../domain/providers/set.ts";
import { createTenant } from "../domain/tenants/create.ts";
import type { DemoOperator } from "../up/demo.ts";
import { askSandbox } from "./sandbox-client.ts";
import {
  appleSummary,
  googleSummary,
  sandboxAppleCredentials,
  sandboxGoogleCredentials,
} from "./sandbox-credentials.ts";

/** Plenty for a demo, and for whoever plays with it. */
const demoCredits = 1_000_000;

const demoPackages: readonly Package[] = [
  { id: "starter", name: "1,000 passes", credits: 1000, price: { amount: 4900, currency: "EUR" } },
  { id: "growth", name: "10,000 passes", credits: 10_000, price: { amount: 39_000, currency: "EUR" } },
];

const demoPlans: readonly Plan[] = [
  {
    id: "team-monthly",
    name: "Team, monthly",
    monthlyPasses: 5000,
    interval: "month",
    price: { amount: 14_900, currency: "EUR" },
  },
  {
    id: "team-yearly",
    name: "Team, yearly",
    monthlyPasses: 5000,
    interval: "year",
    price: { amount: 149_000, currency: "EUR" },
  },
];

/** What an operator would type to set the demo up, done through the same verbs. */
export function createDemoOperator(app: App, sandboxUrl: string): DemoOperator {
  return {
    tenantExists: async (id) => (await app.tenants.find(id)) !== null,

    async createTenant() {
      const billing = { mode: "prepaid", credits: demoCredits } as const;
      return (await createTenant(app, { name: "Demo", billing })).id;
    },

    async ensureCatalog() {
      const { catalog } = app;
      if ((await catalog.packages()).length === 0) await catalog.setPackages(demoPackages);
      if ((await catalog.plans()).length === 0) await catalog.setPlans(demoPlans);
    },

    async createApplication(tenantId) {
      const input = { tenantId, name: "demo", type: "backend" };
      const { application, secret } = await createApplication({ ...app, hasher: await openHasher() }, input);
      return { id: application.id, secret };
    },

    async ensureSandboxWallets(tenantId) {
      const present = (await app.providerConfigurations.list(tenantId)).map(({ wallet }) => wallet);
      if (!present.includes("apple")) {
        const credentials = await sandboxAppleCredentials(app.clock, sandboxUrl);
        const summary = appleSummary(credentials);
        await setProvider(app, { tenantId, wallet: "apple", sandbox: true, summary, credentials });
      }
      if (!present.includes("google")) {
        const credentials = await sandboxGoogleCredentials(app.clock, sandboxUrl);
        const summary = googleSummary(credentials);
        await setProvider(app, { tenantId, wallet: "google", sandbox: true, summary, credentials });
      }
    },

    async createReceiver(secret) {
      const receiver = await askSandbox<{ url: string }>(sandboxUrl, "/receivers", { secret });
      return receiver.url;
    },

    warn: (message) => process.stderr.write(`${message}\n`),

    newSecret: () => app.ids.secret(),

    async demoTemplateId() {
      const { items } = await app.templates.list(null, { type: "LoyaltyCard" }, { page: 1, pageSize: 1 });
      if (items[0] !== undefined) return items[0].id;
      throw new PasswrightError("invalid_template", "The system templates are not installed.");
    },

    forgetTokenRequests: () => app.tokenRateLimiter.forget("127.0.0.1"),
  };
}
