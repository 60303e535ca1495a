import { PasswrightError } from "../../domain/errors.ts";
import { isRevoked, type Pass } from "../../domain/passes/pass.ts";
import { templateOfPass } from "../../domain/templates/find.ts";
import { cachedReply } from "../cached-reply.ts";
import type { HttpRequest } from "../exchange.ts";
import { googleSaveUrl } from "../google-save-url.ts";
import { notModified, page } from "../openapi/answers.ts";
import { deviceOf } from "../pages/device.ts";
import { renderGonePage, renderNotFoundPage } from "../pages/notice-pages.ts";
import type { Page } from "../pages/page-document.ts";
import { wantedLanguages } from "../pages/visitor-language.ts";
import { wordsFor } from "../pages/words/choose.ts";
import { type Answer, open, type Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";
import {
  conditionalFile,
  fileHeaders,
  passFile,
  passOfPage,
  passWithFile,
  pkpass,
  unchanged,
} from "./pass-files.ts";

const pageToken = {
  type: "string",
  pattern: "^[A-Za-z0-9_-]+$",
  maxLength: 64,
  description: "The secret part of the address, as in the pass's `page_url`.",
  example: "Jb3vPq9XhT5mZk2WcR7sNdE",
};
const imageOwner = {
  type: "string",
  pattern: "^(system|[0-9a-f-]{36})$",
  maxLength: 36,
  description: "The tenant whose template it is of, or `system`.",
  example: "system",
};
const imageFile = {
  type: "string",
  pattern: "^[0-9a-f]{64}\\.png$",
  maxLength: 68,
  description: "The SHA-256 of its content.",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png",
};
const fileAnswer: Answer = {
  status: 200,
  description: "The file.",
  mediaTypes: [pkpass.mediaType],
  schema: null,
  headers: fileHeaders,
};
const imageAnswer: Answer = {
  status: 200,
  description: "The image.",
  mediaTypes: ["image/png"],
  schema: null,
  headers: ["Cache-Control", "ETag"],
};

export const pageRoutes = [
  open({
    method: "GET",
    path: "/p/{token}",
    operationId: "showPass",
    tag: "Public pages",
    summary: "The public page of a pass",
    description:
      "Shows the pass, in the visitor's language where its template has it, and offers the wallets that it is made for. Works without scripts, and answers conditional requests.",
    pathParameters: { token: pageToken },
    answers: [
      { ...page(200, "The page."), headers: ["Cache-Control", "ETag"] },
      notModified,
      page(404, "There is no such pass."),
      page(410, "The pass was revoked."),
    ],
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await deps.passes.findByPageToken(params.token ?? "");
      const wanted = wantedLanguages(http.header("accept-language"));
      if (pass === null) return pageReply(renderNotFoundPage(wordsFor(wanted)));
      if (isRevoked(pass)) return pageReply(renderGonePage(wordsFor(wanted)));
      const [template, saveUrl] = await Promise.all([templateOfPass(deps, pass), googleSaveUrl(deps, pass)]);
      const pageUrl = `${deps.baseUrl}/p/${pass.pageToken}`;
      const { apple } = pass.providers;
      const { body, etag, headers } = await deps.passPages.page(wanted, {
        pass,
        template,
        pageUrl,
        pkpassUrl: apple?.saveLink ? `/p/${pass.pageToken}/pass.pkpass` : null,
        googleSaveUrl: saveUrl,
        device: deviceOf(http.header("user-agent")),
        nowMs: deps.clock.nowMs(),
        imageUrl: (name) => deps.imagePath(template, name),
      });
      noteView(deps, http, pass);
      return cachedReply(http, { body, etag }, headers);
    },
  }),
  open({
    method: "GET",
    path: "/p/{token}/pass.pkpass",
    operationId: "downloadPass",
    tag: "Public pages",
    summary: "The file of a pass for Apple Wallet",
    description:
      "A signed PassKit bundle of the newest data, to be asked for again before each use; answers conditional requests. 404 until the pass is made for Apple Wallet.",
    pathParameters: { token: pageToken },
    answers: [fileAnswer, unchanged],
    errors: [{ code: "not_found", says: "There is no pass at this address." }, "gone"],
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await passWithFile(deps, params.token ?? "");
      const reply = await conditionalFile(http, await passFile(deps, pass), pkpass);
      noteView(deps, http, pass);
      return reply;
    },
  }),
  open({
    method: "GET",
    path: "/p/{token}/preview.png",
    operationId: "previewPass",
    tag: "Public pages",
    summary: "The picture beside a link to a pass",
    description:
      "Drawn from the template's colours and images for services that show a preview of a link (Open Graph). It holds nothing of the pass itself.",
    pathParameters: { token: pageToken },
    answers: [imageAnswer, notModified],
    errors: [{ code: "not_found", says: "There is no pass at this address." }, "gone"],
    async handle({ http, params }, deps): Promise<Reply> {
      const template = await templateOfPass(deps, await passOfPage(deps, params.token ?? ""));
      const wanted = wantedLanguages(http.header("accept-language"));
      return cachedReply(http, await deps.passPreviews.preview(wanted, template), {
        "Content-Type": "image/png",
        "Cache-Control": "private, max-age=300",
        Vary: "Accept-Language",
        "X-Robots-Tag": "noindex, nofollow",
      });
    },
  }),
  open({
    method: "GET",
    path: "/images/{owner}/{file}",
    operationId: "getTemplateImage",
    tag: "Public pages",
    summary: "An image of a template, by its content",
    description: "What Google Wallet and the public page load. An address never changes its picture.",
    pathParameters: { owner: imageOwner, file: imageFile },
    answers: [imageAnswer, notModified],
    errors: [{ code: "not_found", says: "There is no image at this address." }],
    async handle({ http, params }, deps): Promise<Reply> {
      const [, sha256] = /^([0-9a-f]{64})\.png$/.exec(params.file ?? "") ?? [];
      const owner = params.owner === "system" ? null : (params.owner ?? "");
      const bytes = sha256 === undefined ? null : await deps.templates.image(owner, sha256);
      if (bytes === null) throw new PasswrightError("not_found", "There is no image at this address.");
      return cachedReply(
        http,
        { body: bytes, etag: `"${sha256}"` },
        { "Content-Type": "image/png", "Cache-Control": "public, max-age=31536000, immutable" },
      );
    },
  }),
];

/** A HEAD shows nothing to anybody: link previews and monitors send it. */
function noteView(deps: ServingDeps, http: HttpRequest, pass: Pass): void {
  if (http.method === "GET") deps.views.viewed(pass);
}

function pageReply({ status, html, headers }: Page): Reply {
  return { status, body: html, headers };
}
