import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Template, TemplateContent, TemplateStatus, WalletKey } from "./template.ts";

/** A template as its operators see it. */
export type AuthoredTemplate = Template & {
  /** When the version was imported that waits for its publication; null: none waits. */
  draftedAtMs: number | null;
};

/** A version that waits for its publication. */
export type TemplateDraft = {
  description: string | null;
  providers: WalletKey[];
  content: TemplateContent;
  draftedAtMs: number;
  /** What the store keeps of it, by which it notices that another draft has taken its place. */
  stored: string;
};

export type Imported = {
  template: Template;
  content: TemplateContent;
  images: ReadonlyMap<string, Uint8Array>;
};

/** Templates and drafts of one owner: a tenant by its id, or null for the system. Each change is one atomic step. */
export type TemplateAuthoring = {
  findOwn(owner: string | null, templateId: string): Promise<AuthoredTemplate | null>;
  findByName(owner: string | null, name: string): Promise<AuthoredTemplate | null>;
  /** Newest first. */
  listOwn(owner: string | null, page: PageRequest): Promise<Page<AuthoredTemplate>>;
  draftOf(template: Template): Promise<TemplateDraft | null>;
  /**
   * Writes the template as given and its version `latestVersion` with the images; a waiting draft is dropped.
   * False when that version exists already, or another template has the name: somebody else was faster.
   */
  publish(publication: Imported & { publishedAtMs: number }): Promise<boolean>;
  /**
   * Keeps a draft with the images, in the place of an earlier one, and the template where nothing of it is published.
   * False when the template's latest version is not the given one any more, or another template has the name.
   */
  keepDraft(draft: Imported & { draftedAtMs: number }): Promise<boolean>;
  /**
   * Writes the template as given, and as its version `latestVersion` what waited as that draft. False when the version
   * exists already, or that draft does not wait any more.
   */
  publishDraft(publication: {
    template: Template;
    draft: TemplateDraft;
    publishedAtMs: number;
  }): Promise<boolean>;
  setStatus(
    owner: string | null,
    templateId: string,
    status: TemplateStatus,
  ): Promise<"changed" | "same" | "gone">;
};

/** The owner's template of that id, or not_found. System templates are no tenant's to change. */
export async function findOwnTemplate(
  deps: { templates: Pick<TemplateAuthoring, "findOwn"> },
  owner: string | null,
  templateId: string,
): Promise<AuthoredTemplate> {
  const own = isUuid(templateId) ? await deps.templates.findOwn(owner, templateId) : null;
  if (own !== null) return own;
  const isSystem =
    owner !== null && isUuid(templateId) && (await deps.templates.findOwn(null, templateId)) !== null;
  throw new PasswrightError(
    "not_found",
    isSystem
      ? `The tenant has no template ${templateId}: that is a system template, and every tenant's.`
      : `There is no template ${templateId}.`,
  );
}
