import { randomBytes } from "node:crypto";
import type { PassFile } from "./apple-file.ts";
import { requireDocumented } from "./documented.ts";
import { type Ask, ask, type Reply } from "./requests.ts";

/** A phone with a pass, which does what Apple's protocol has it do, each when the test says so. */
export type Phone = ReturnType<typeof phoneWith>;

/** A new phone, or one that has other passes already. */
export function phoneWith(
  { passJson }: Pick<PassFile, "passJson">,
  same: { deviceId: string; pushToken(): string } | null = null,
) {
  const { webServiceURL, passTypeIdentifier, serialNumber, authenticationToken } = passJson;
  const baseUrl = new URL(webServiceURL).origin;
  const home = `${new URL(webServiceURL).pathname}/v1`;
  const deviceId = same?.deviceId ?? randomBytes(16).toString("hex");
  let pushToken = same?.pushToken() ?? randomBytes(32).toString("hex");
  const registration = `${home}/devices/${deviceId}/registrations/${passTypeIdentifier}`;
  const authorization = `ApplePass ${authenticationToken}`;

  const asked = async (path: string, options: Ask = {}): Promise<Reply> => {
    const reply = await ask(`${baseUrl}${path}`, {
      ...options,
      headers: { "user-agent": deviceId, ...options.headers },
    });
    await requireDocumented(baseUrl, { ...options, path }, reply);
    return reply;
  };

  return {
    deviceId,
    serialNumber,
    authenticationToken,
    passTypeIdentifier,
    home: `${baseUrl}${home}`,
    pushToken: () => pushToken,
    register: (headers: Ask["headers"] = { authorization }) =>
      asked(`${registration}/${serialNumber}`, { method: "POST", headers, body: { pushToken } }),
    renewPushToken() {
      pushToken = randomBytes(32).toString("hex");
    },
    list: (since?: string) =>
      asked(`${registration}${since === undefined ? "" : `?passesUpdatedSince=${since}`}`),
    fetch: (headers: Ask["headers"] = {}, method: "GET" | "HEAD" = "GET") =>
      asked(`${home}/passes/${passTypeIdentifier}/${serialNumber}`, {
        method,
        headers: { authorization, ...headers },
      }),
    unregister: () =>
      asked(`${registration}/${serialNumber}`, { method: "DELETE", headers: { authorization } }),
    complain: (logs: string[]) => asked(`${home}/log`, { method: "POST", body: { logs } }),
  };
}
