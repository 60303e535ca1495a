/**
 * The receiver of the webhook benchmarks, a process of its own. Answers every POST with 204 and remembers which deliveries
 * came; under `/fail` it answers 500, under `/hang` not at all. Told `expect`, it reports as soon as so many different
 * ones are there; told `report`, what it has.
 */
import { App, type HttpRequest, type HttpResponse, SSLApp, us_socket_local_port } from "uWebSockets.js";

export type Told = { expect: number } | "report";
export type Reported = { port: number } | { arrived: number; atMs: number } | Receipts;
export type Receipts = { distinct: number; total: number; firstAtMs: [id: string, atMs: number][] };

const [key = "", cert = ""] = process.argv.slice(2);
const app = key === "" ? App() : SSLApp({ key_file_name: key, cert_file_name: cert });
const tell = (message: Reported): boolean => process.send?.(message) ?? false;
const now = (): number => performance.timeOrigin + performance.now();

let firstAt = new Map<string, number>();
let total = 0;
let expected = 0;

function received(id: string): void {
  total += 1;
  if (firstAt.has(id)) return;
  firstAt.set(id, now());
  if (firstAt.size === expected) tell({ arrived: expected, atMs: now() });
}

function afterBody(response: HttpResponse, then: () => void): void {
  response.onAborted(() => {});
  response.onData((_chunk: ArrayBuffer, isLast: boolean) => {
    if (isLast) then();
  });
}

app.post("/fail", (response: HttpResponse) => {
  afterBody(response, () => response.cork(() => response.writeStatus("500 Internal Server Error").end()));
});
app.post("/hang", (response: HttpResponse) => afterBody(response, () => {}));
app.post("/*", (response: HttpResponse, request: HttpRequest) => {
  const id = request.getHeader("webhook-id");
  afterBody(response, () => {
    received(id);
    response.cork(() => response.writeStatus("204 No Content").endWithoutBody());
  });
});
app.listen("127.0.0.1", 0, (socket) => {
  if (socket === false) throw new Error("no port is free");
  tell({ port: us_socket_local_port(socket as never) });
});

process.on("message", (told: Told) => {
  if (told === "report") {
    tell({ distinct: firstAt.size, total, firstAtMs: [...firstAt] });
    return;
  }
  firstAt = new Map();
  total = 0;
  expected = told.expect;
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit());
