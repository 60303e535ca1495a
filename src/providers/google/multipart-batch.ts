/**
 * Several calls of Google's REST API in one request: multipart/mixed (RFC 2046 section 5.1) with a whole request or answer,
 * application/http (RFC 9112 section 10.2), in each part. What belongs together is said by Content-ID: `<item-1>` is answered
 * by `<response-item-1>`, in whatever order. https://developers.google.com/wallet/reference/rest names the endpoint, and
 * Google's own client library (googleapiclient/http.py, BatchHttpRequest) shows the format.
 */
import { randomBytes } from "node:crypto";
import type { RawAnswer } from "./http-client.ts";

export type BatchPart = { method: string; path: string; body?: string };

/** `path` is absolute, without an origin. The token is in the request's own header, and counts for every part. */
export function writeBatch(parts: readonly BatchPart[]): { contentType: string; body: string } {
  const boundary = `batch_${randomBytes(16).toString("hex")}`;
  const written = parts.map(({ method, path, body }, index) => {
    const type = body === undefined ? [] : ["Content-Type: application/json"];
    return lines(
      `--${boundary}`,
      "Content-Type: application/http",
      "Content-Transfer-Encoding: binary",
      `Content-ID: <item-${index}>`,
      "",
      `${method} ${path} HTTP/1.1`,
      ...type,
      "Accept: application/json",
      "",
      body ?? "",
    );
  });
  return {
    contentType: `multipart/mixed; boundary="${boundary}"`,
    body: `${written.join("")}--${boundary}--\r\n`,
  };
}

function lines(...all: string[]): string {
  return `${all.join("\r\n")}\r\n`;
}

/** The answer to each part, by its index; a part that is missing or cannot be read is not there. Null: it is no batch. */
export function readBatch(contentType: string, text: string): Map<number, RawAnswer> | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const answers = new Map<number, RawAnswer>();
  // What stands before the first boundary and behind the last is nobody's (RFC 2046 section 5.1.1).
  for (const part of `\r\n${text}`.split(new RegExp(`\\r?\\n--${escaped(boundary)}`)).slice(1)) {
    if (part.startsWith("--")) break;
    const outer = readMessage(part.replace(/^[ \t]*\r?\n/, ""));
    const index = /response-item-(\d+)/.exec(outer.headers["content-id"] ?? "")?.[1];
    const [, status, rest] = /^HTTP\/\d(?:\.\d)? (\d{3})[^\n]*\n(.*)$/s.exec(outer.body) ?? [];
    if (index === undefined || status === undefined || rest === undefined) continue;
    const inner = readMessage(rest);
    answers.set(Number(index), { status: Number(status), headers: inner.headers, text: inner.body });
  }
  return answers;
}

function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/mixed\s*;/i.test(contentType)) return null;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/** Header fields, an empty line, and the rest. */
function readMessage(text: string): { headers: Record<string, string>; body: string } {
  const headers: Record<string, string> = {};
  let at = 0;
  for (;;) {
    const end = text.indexOf("\n", at);
    const line = (end < 0 ? text.slice(at) : text.slice(at, end)).replace(/\r$/, "");
    at = end < 0 ? text.length : end + 1;
    if (line === "" || at >= text.length) break;
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { headers, body: text.slice(at) };
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, "\\$&");
}
