import { requireDocumented } from "./documented.ts";
import { type Ask, ask, type Reply } from "./requests.ts";

export type Credentials = { tenant_id: string; application_id: string; application_secret: string };

/** A caller of the API who holds a token, and is only content with answers that are as documented. */
export type Client = {
  token: string;
  tenantId: string;
  /** A path below the base URL. */
  ask(path: string, options?: Ask): Promise<Reply>;
  get(path: string, headers?: Ask["headers"]): Promise<Reply>;
  post(path: string, body: unknown, headers?: Ask["headers"]): Promise<Reply>;
};

export async function askToken(baseUrl: string, credentials: Credentials, more: object = {}): Promise<Reply> {
  const body = { ...credentials, grant_type: "client_credentials", ...more };
  const path = "/api/v1/auth/token";
  const reply = await ask(`${baseUrl}${path}`, { body });
  await requireDocumented(baseUrl, { path, body }, reply);
  return reply;
}

/** Gets a token, optionally for some scopes only, and uses it from then on. */
export async function signIn(
  baseUrl: string,
  { tenant_id, application_id, application_secret }: Credentials,
  scope?: string,
): Promise<Client> {
  const credentials = { tenant_id, application_id, application_secret };
  const reply = await askToken(baseUrl, credentials, scope === undefined ? {} : { scope });
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`);
  return withToken(baseUrl, reply.json.access_token, tenant_id);
}

export function withToken(baseUrl: string, token: string, tenantId: string): Client {
  const asked = async (path: string, options: Ask = {}) => {
    const reply = await ask(`${baseUrl}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    });
    await requireDocumented(baseUrl, { ...options, path }, reply);
    return reply;
  };
  return {
    token,
    tenantId,
    ask: asked,
    get: (path, headers = {}) => asked(path, { headers }),
    post: (path, body, headers = {}) => asked(path, { body, headers }),
  };
}
