import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Test } from "tap";
import type { GoogleSigner } from "./google-callbacks.ts";

/** Where root keys are published, below `/gp/m/issuer/keys`. `asked` counts; a status above 200 is for a bad time. */
export async function startKeyServer(t: Test, signer: Pick<GoogleSigner, "keysDocument">) {
  const state = { asked: 0, status: 200 };
  const server = createServer((request, response) => {
    state.asked += 1;
    const isThere = request.url === "/gp/m/issuer/keys";
    response.writeHead(isThere ? state.status : 404, { "cache-control": "public, max-age=3600" });
    response.end(JSON.stringify(signer.keysDocument()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
