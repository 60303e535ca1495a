import { invalidRequest } from "../domain/errors.ts";
import type { DataFolder } from "./data-folder.ts";

/** What the demo keeps between runs. The secret is the demo tenant's, and lives in a file that only its owner reads. */
export type Demo = {
  tenant_id: string;
  application_id: string;
  application_secret: string;
  webhook_id?: string;
};

/** What the demo needs of the product besides its API: what an operator would type. */
export type DemoOperator = {
  tenantExists(id: string): Promise<boolean>;
  createTenant(): Promise<string>;
  /** Puts something on sale where nothing is. */
  ensureCatalog(): Promise<void>;
  createApplication(tenantId: string): Promise<{ id: string; secret: string }>;
  /** Gives the tenant the sandbox's wallets where it has none yet. */
  ensureSandboxWallets(tenantId: string): Promise<void>;
  /** Registers a receiver at the sandbox; answers its address. */
  createReceiver(secret: string): Promise<string>;
  warn(message: string): void;
  newSecret(): string;
  demoTemplateId(): Promise<string>;
  /** The demo's own token request is not counted against the person who tries the API next. */
  forgetTokenRequests(): Promise<void>;
};

export type IssuedDemo = Demo & { template_id: string; page_url: string | null };

/**
 * Makes the demo tenant on the first run, and issues its pass through the HTTP API. On later runs the same requests find
 * the same tenant and the same pass.
 */
export async function runDemo(
  folder: DataFolder,
  operator: DemoOperator,
  options: { baseUrl: string; sandbox: boolean },
): Promise<IssuedDemo> {
  const demo = await ensureTenant(folder, operator);
  const templateId = await operator.demoTemplateId();
  if (!options.sandbox) return { ...demo, template_id: templateId, page_url: null };
  await operator.ensureSandboxWallets(demo.tenant_id);
  const api = apiOf(options.baseUrl);
  const token = await getToken(api, demo);
  await operator.forgetTokenRequests();
  if (demo.webhook_id === undefined) {
    demo.webhook_id = await registerWebhook(api, token, operator);
    folder.writeJson("demo.json", demo);
  }
  const pageUrl = await issuePass(api, token, templateId).catch((error: Error) => {
    operator.warn(`The demo's pass could not be issued: ${error.message}`);
    return null;
  });
  return { ...demo, template_id: templateId, page_url: pageUrl };
}

async function ensureTenant(folder: DataFolder, operator: DemoOperator): Promise<Demo> {
  const before = folder.readJson<Demo>("demo.json");
  if (before !== null && (await operator.tenantExists(before.tenant_id))) return before;
  await operator.ensureCatalog();
  const tenantId = await operator.createTenant();
  const application = await operator.createApplication(tenantId);
  const demo = {
    tenant_id: tenantId,
    application_id: application.id,
    application_secret: application.secret,
  };
  folder.writeJson("demo.json", demo);
  return demo;
}

type Api = <Answer>(
  method: string,
  path: string,
  options?: { body?: object; token?: string },
) => Promise<Answer>;

function apiOf(baseUrl: string): Api {
  return async <Answer>(method: string, path: string, options: { body?: object; token?: string } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(options.body !== undefined && { "Content-Type": "application/json" }),
        ...(options.token !== undefined && { Authorization: `Bearer ${options.token}` }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await response.json()) as Answer & { error_description?: string };
    if (!response.ok) {
      throw invalidRequest([
        { path: `${method} ${path}`, message: `answered ${response.status}: ${answer.error_description}` },
      ]);
    }
    return answer;
  };
}

async function getToken(api: Api, demo: Demo): Promise<string> {
  const answer = await api<{ access_token: string }>("POST", "/api/v1/auth/token", {
    body: {
      tenant_id: demo.tenant_id,
      application_id: demo.application_id,
      application_secret: demo.application_secret,
      grant_type: "client_credentials",
    },
  });
  return answer.access_token;
}

async function registerWebhook(api: Api, token: string, operator: DemoOperator): Promise<string> {
  const secret = operator.newSecret();
  const url = await operator.createReceiver(secret);
  const body = { url, secret, events: ["pass.created", "pass.updated", "pass.revoked"] };
  return (await api<{ id: string }>("POST", "/api/v1/webhooks", { token, body })).id;
}

async function issuePass(api: Api, token: string, templateId: string): Promise<string> {
  const body = {
    template_id: templateId,
    intent: "loyalty_card",
    external_ref: "demo",
    data: { member: "Ada Marlowe", points: "1240", tier: "Wren" },
  };
  const accepted = await api<{ id: string; job_id: string }>("POST", "/api/v1/passes", { token, body });
  // On a later run the job may be long gone; the pass is there.
  await api("GET", `/api/v1/jobs/${accepted.job_id}?wait=20`, { token }).catch(() => {});
  return (await api<{ page_url: string }>("GET", `/api/v1/passes/${accepted.id}`, { token })).page_url;
}
