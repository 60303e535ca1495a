import { Agent, request as httpRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer, Request } from "../e2e/model/caller.ts";
import type { Credentials } from "../e2e/support/client.ts";

export type Definite = Answer & { tries: number };

/** A tenant's caller, who is content only with answers that settle the matter. */
export type Caller = { ask(request: Request): Promise<Definite>; close(): void };

/** Several faults in a row may keep a machine that is busy from answering for a while. */
const patienceMs = 180_000;
const answerWithinMs = 10_000;

/**
 * Sends each request to one serve or another, again and again under the same Idempotency-Key, until it is answered for
 * good. No connection, no answer, and a 5xx leave open whether it was carried out; 429 says to come again.
 */
export function createCaller(baseUrls: readonly string[], credentials: Credentials): Caller {
  const agent = new Agent({ keepAlive: true });
  let token: Promise<string> | undefined;
  let turn = 0;
  return {
    async ask(request) {
      const giveUpAt = performance.now() + patienceMs;
      for (let tries = 1; ; tries += 1) {
        turn += 1;
        const baseUrl = baseUrls[turn % baseUrls.length] ?? "";
        let said: string;
        try {
          token ??= signIn(agent, baseUrl, credentials);
          const answer = await exchange(agent, baseUrl, request, await token);
          const isDefinite = answer.status < 500 && answer.status !== 401 && answer.status !== 429;
          if (isDefinite) return { ...answer, tries };
          if (answer.status === 401) token = undefined;
          said = `${answer.status} ${answer.text}`;
        } catch (error) {
          if (error instanceof NoToken) token = undefined;
          said = String(error);
        }
        if (performance.now() > giveUpAt) {
          throw new Error(
            `no definite answer to ${request.method} ${request.path} in three minutes: ${said}`,
          );
        }
        await pause(Math.min(20 * tries, 250));
      }
    },
    close: () => agent.destroy(),
  };
}

class NoToken extends Error {}

async function signIn(agent: Agent, baseUrl: string, credentials: Credentials): Promise<string> {
  const body = { ...credentials, grant_type: "client_credentials" };
  const request = { method: "POST", path: "/api/v1/auth/token", body };
  try {
    const { json } = await exchange(agent, baseUrl, request);
    return json.access_token ?? Promise.reject(new Error(json.error_description));
  } catch (error) {
    throw new NoToken("no token", { cause: error });
  }
}

/** One request over a connection that stays open: so many, each on its own, would use up the machine's ports. */
function exchange(
  agent: Agent,
  baseUrl: string,
  { method, path, body, key }: Request,
  token?: string,
): Promise<Answer> {
  const payload = body === undefined ? null : JSON.stringify(body);
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(payload !== null && {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(payload),
    }),
    ...(key !== undefined && { "idempotency-key": key }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        const json = text === "" ? undefined : JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.setTimeout(answerWithinMs, () => sent.destroy(new Error("no answer in time")));
    sent.on("error", reject);
    sent.end(payload ?? undefined);
  });
}
