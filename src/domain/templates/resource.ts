import { isoInstant } from "../clock.ts";
import type { AuthoredTemplate, TemplateDraft } from "./authoring.ts";
import { intents, type RenderableTemplate, type Template } from "./template.ts";

/** A template as lists show it. */
export function templateItem(template: Template) {
  return {
    id: template.id,
    tenant_id: template.tenantId,
    name: template.name,
    template_type: template.type,
    intent: intents[template.type],
    status: template.status,
    latest_version: template.latestVersion,
    is_system_template: template.tenantId === null,
    created_at: isoInstant(template.createdAtMs),
  };
}

/** A template as its own address shows it. */
export function templateDetail(template: Template) {
  return { ...templateItem(template), description: template.description, providers: template.providers };
}

/** The frozen version that passes are drawn from. */
export function templateSnapshot({ version }: RenderableTemplate) {
  return {
    template_id: version.templateId,
    version: version.version,
    created_at: isoInstant(version.createdAtMs),
    ...version.content,
  };
}

/** A template as its operators see it: with the draft that waits, if any, and `draft` for a status where there is nothing else. */
export function authoredDetail(template: AuthoredTemplate) {
  const isUnpublished = template.latestVersion === 0 && template.status === "active";
  return {
    ...templateDetail(template),
    status: isUnpublished ? "draft" : template.status,
    draft:
      template.draftedAtMs === null
        ? null
        : { version: template.latestVersion + 1, created_at: isoInstant(template.draftedAtMs) },
  };
}

/** What waits, in the form of the snapshot that it becomes. */
export function draftSnapshot(template: AuthoredTemplate, draft: TemplateDraft) {
  return {
    template_id: template.id,
    version: template.latestVersion + 1,
    created_at: isoInstant(draft.draftedAtMs),
    description: draft.description,
    providers: draft.providers,
    ...draft.content,
  };
}
