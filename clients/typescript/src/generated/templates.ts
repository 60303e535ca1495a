// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, Send } from "../call.ts";
import { type List, listOf, type PageQuery } from "../paging.ts";
import type { PassCreateRequest, Template, TemplateItem, TemplateVersion } from "./schemas.ts";

export type ListTemplatesQuery = PageQuery & {
  /** Only templates of this type. */
  template_type?:
    | "LoyaltyCard"
    | "EventTicket"
    | "Coupon"
    | "BoardingPass"
    | "GiftCard"
    | "MembershipCard"
    | "Generic"
    | undefined;
  /** Only templates in this status. */
  status?: "active" | "archived" | undefined;
};

/** What passes are made from. Operators write them; here they are read. */
export function createTemplates(send: Send) {
  return {
    /**
     * List the tenant's own and the system templates, newest first.
     *
     * Lists the templates that passes can be made from, and the archived ones.
     *
     * Scope: `templates:read`.
     */
    list(query: ListTemplatesQuery = {}, options: CallOptions = {}): List<TemplateItem> {
      return listOf(send, { method: "GET", path: "/api/v1/templates", query }, options);
    },

    /**
     * Read a template.
     *
     * Reads a template, with the wallets that it supports.
     *
     * Scope: `templates:read`.
     */
    get(id: string, options: CallOptions = {}): Promise<Template> {
      return send({ method: "GET", path: "/api/v1/templates/{id}", params: { id } }, options);
    },

    /**
     * Read the version that new passes are made with.
     *
     * The frozen snapshot of fields, look and barcode. A pass keeps the version that it was made with until its
     * next update, which takes the latest.
     *
     * Scope: `templates:read`.
     */
    getLatestVersion(id: string, options: CallOptions = {}): Promise<TemplateVersion> {
      return send({ method: "GET", path: "/api/v1/templates/{id}/versions/latest", params: { id } }, options);
    },

    /**
     * Get a body for POST /passes to edit.
     *
     * Static fields hold the template's default, Placeholders a `{{key}}` token, Computed ones are left out.
     * The body is accepted as soon as the tokens are replaced.
     *
     * Scope: `templates:read`. Refusals: `invalid_template`.
     */
    getSample(id: string, options: CallOptions = {}): Promise<PassCreateRequest> {
      return send({ method: "GET", path: "/api/v1/templates/{id}/sample", params: { id } }, options);
    },
  };
}
