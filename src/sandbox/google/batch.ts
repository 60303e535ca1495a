/**
 * Several calls in one request (https://developers.google.com/api-client-library/batch, as google-wallet/rest-samples
 * sends them). Each is answered on its own, and counts on its own.
 */
import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type Answer, type Received, Refused } from "../exchange.ts";
import { apiError } from "./api-error.ts";

export const batchPaths = ["/batch", "/batch/walletobjects/v1"];

/** Google documents it for its APIs at large; the Wallet's own pages say nothing else. */
const mostCalls = 1000;

type Part = { contentId: string | undefined; request: Received };

/** Answers `POST /batch` through `call`, which answers one request and may throw a `Refused`. */
export function createBatch(
  call: (request: Received) => Promise<Answer>,
): (request: Received) => Promise<Answer> {
  return async (outer) => {
    const parts = readParts(outer);
    const boundary = `batch_${randomBytes(12).toString("base64url")}`;
    let body = "";
    // One after the other: Google promises no order, and a test wants one.
    for (const { contentId, request } of parts) {
      const answer = await answerOf(call, request);
      // A cut connection is that of the whole.
      if ("reset" in answer) return answer;
      body += `--${boundary}\r\n${partHead(contentId)}\r\n${asText(answer)}\r\n`;
    }
    const headers = { "content-type": `multipart/mixed; boundary=${boundary}` };
    return { status: 200, headers, body: `${body}--${boundary}--\r\n` };
  };
}

async function answerOf(call: (request: Received) => Promise<Answer>, request: Received): Promise<Answer> {
  try {
    return await call(request);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

function readParts(outer: Received): Part[] {
  const type = outer.headers["content-type"] ?? "";
  const [, quoted, plain] = /^multipart\/mixed\s*;.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw badBatch("the Content-Type must be multipart/mixed with a boundary");
  // Lines may end in a line feed alone: the samples' do.
  const text = outer.body.toString("utf8").replace(/\r\n/g, "\n");
  const [, ...sections] = `\n${text}`.split(`\n--${boundary}`);
  const end = sections.findIndex((section) => section.startsWith("--"));
  if (end === -1) throw badBatch("the last boundary is missing");
  if (end === 0) throw badBatch("there are no parts");
  if (end > mostCalls) throw badBatch(`there are ${end} calls, and ${mostCalls} are the most`);
  return sections.slice(0, end).map((section) => readPart(section.replace(/^[ \t]*\n/, ""), outer));
}

/** Headers of the part, an empty line, and a request: its line, its headers, an empty line, its body. */
function readPart(section: string, outer: Received): Part {
  const [partHeaders, inner] = headAndRest(section);
  const type = partHeaders["content-type"] ?? "";
  if (!/^application\/(http|json)\b/i.test(type)) throw badBatch(`a part is ${type || "of no type"}`);
  const [head = "", ...rest] = inner.replace(/^\n+/, "").split("\n");
  const [, method = "", target = ""] = /^([A-Z]+) (\/\S*)( HTTP\/1\.[01])?$/.exec(head.trim()) ?? [];
  if (method === "") throw badBatch(`a part does not begin with a method and a path: ${head.slice(0, 80)}`);
  const [headers, body] = headAndRest(rest.join("\n"));
  const url = new URL(`http://sandbox.invalid${target}`);
  return {
    contentId: partHeaders["content-id"],
    request: {
      method,
      path: url.pathname,
      query: url.searchParams,
      // What the whole request says counts for each call, unless the call says otherwise.
      headers: { ...outer.headers, "content-type": "application/json", ...headers },
      body: Buffer.from(body.trim(), "utf8"),
    },
  };
}

function headAndRest(text: string): [headers: Record<string, string>, rest: string] {
  const lines = text.split("\n");
  const end = lines.indexOf("");
  const head = end === -1 ? lines : lines.slice(0, end);
  const headers = head.flatMap((line) => {
    const [, name = "", value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === "" ? [] : [[name.toLowerCase(), value.trim()]];
  });
  return [Object.fromEntries(headers), end === -1 ? "" : lines.slice(end + 1).join("\n")];
}

/** `<item1>` is answered as `<response-item1>`. */
function partHead(contentId: string | undefined): string {
  const id = contentId === undefined ? "" : `Content-ID: ${contentId.replace(/^<?/, "$&response-")}\r\n`;
  return `Content-Type: application/http\r\n${id}`;
}

function asText(answer: Exclude<Answer, { reset: true }>): string {
  const body = answer.body ?? "";
  const headers = { ...answer.headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}

function badBatch(why: string): Refused {
  return apiError(400, `Failed to parse batch request, error: ${why}.`, {
    domain: "global",
    reason: "badRequest",
  });
}
