import { PasswrightError } from "../../domain/errors.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import { templateOfPass } from "../../domain/templates/find.ts";
import type { HttpRequest } from "../exchange.ts";
import { deviceOf } from "../pages/device.ts";
import { renderGonePage, renderNotFoundPage } from "../pages/notice-pages.ts";
import { renderPassPage } from "../pages/pass-page.ts";
import { open, type Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

export const pageRoutes = [
  open({
    method: "GET",
    path: "/p/{token}",
    summary: "The public page of a pass",
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await deps.passes.findByPageToken(params.token ?? "");
      if (pass === null) return pageReply(renderNotFoundPage());
      if (isRevoked(pass)) return pageReply(renderGonePage());
      const template = await templateOfPass(deps, pass);
      const pageUrl = `${deps.baseUrl}/p/${pass.pageToken}`;
      const { apple, google } = pass.providers;
      const page = await renderPassPage({
        pass,
        template,
        pageUrl,
        pkpassUrl: apple?.saveLink ? `/p/${pass.pageToken}/pass.pkpass` : null,
        googleSaveUrl: google?.saveLink ?? null,
        device: deviceOf(http.header("user-agent")),
        imageUrl: (name) => deps.imagePath(template, name),
      });
      noteView(deps, http, pass);
      return pageReply(page);
    },
  }),
  open({
    method: "GET",
    path: "/p/{token}/pass.pkpass",
    summary: "The file of a pass for Apple Wallet",
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await deps.passes.findByPageToken(params.token ?? "");
      if (pass === null) throw new PasswrightError("not_found", "There is no pass at this address.");
      if (isRevoked(pass)) throw new PasswrightError("gone", "This pass has been revoked.");
      if (!pass.providers.apple?.saveLink) {
        throw new PasswrightError("not_found", "This pass is not made for Apple Wallet, or not yet.");
      }
      const file = await passFile(deps, pass);
      noteView(deps, http, pass);
      return {
        status: 200,
        body: file,
        headers: {
          "Content-Type": "application/vnd.apple.pkpass",
          "Content-Disposition": 'attachment; filename="pass.pkpass"',
          "Cache-Control": "private, no-cache",
          "Last-Modified": new Date(pass.updatedAtMs).toUTCString(),
        },
      };
    },
  }),
  open({
    method: "GET",
    path: "/images/{owner}/{file}",
    summary: "An image of a template, by its content",
    async handle({ params }, deps): Promise<Reply> {
      const [, sha256] = /^([0-9a-f]{64})\.png$/.exec(params.file ?? "") ?? [];
      const owner = params.owner === "system" ? null : (params.owner ?? "");
      const bytes = sha256 === undefined ? null : await deps.templates.image(owner, sha256);
      if (bytes === null) throw new PasswrightError("not_found", "There is no image at this address.");
      return {
        status: 200,
        body: bytes,
        headers: { "Content-Type": "image/png", "Cache-Control": "public, max-age=31536000, immutable" },
      };
    },
  }),
];

/** A HEAD shows nothing to anybody: link previews and monitors send it. */
function noteView(deps: ServingDeps, http: HttpRequest, pass: Pass): void {
  if (http.method === "GET") deps.views.viewed(pass);
}

/** From the moment of the revocation, whatever the wallets still have to do. */
function isRevoked(pass: Pass): boolean {
  return pass.status === "revoking" || pass.status === "revoked";
}

async function passFile(deps: ServingDeps, pass: Pass): Promise<Buffer> {
  const credentials = await deps.providerConfigurations.credentials(pass.tenantId, "apple");
  if (credentials === null) throw unbuildable();
  try {
    const template = await templateOfPass(deps, pass);
    return await deps.passFile.build({ pass, template, baseUrl: deps.baseUrl, voided: false }, credentials);
  } catch (cause) {
    throw unbuildable(cause);
  }
}

/** Whoever opens a pass can do nothing about its issuer's certificate. */
function unbuildable(cause?: unknown): PasswrightError {
  return new PasswrightError("unavailable", "The pass cannot be made at the moment. Try again later.", {
    retryAfterSeconds: 60,
    ...(cause !== undefined && { cause }),
  });
}

function pageReply(page: { status: number; html: string; headers: Record<string, string> }): Reply {
  return {
    status: page.status,
    body: page.html,
    headers: { "Content-Type": "text/html; charset=utf-8", ...page.headers },
  };
}
