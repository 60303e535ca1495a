import { isUuid } from "../ids.ts";
import { findOwnTemplate, type TemplateAuthoring } from "./authoring.ts";
import { latestVersion } from "./find.ts";
import { authoredDetail, draftSnapshot, templateSnapshot } from "./resource.ts";
import type { TemplateStore } from "./template.ts";

/**
 * All that an operator wants to see of a template before he publishes or archives it: the published version, or null, and
 * the draft, or null. System templates can be seen in the name of a tenant as well. Rejects with not_found.
 */
export async function reviewTemplate(
  deps: { templates: Pick<TemplateAuthoring, "findOwn" | "draftOf"> & Pick<TemplateStore, "renderable"> },
  owner: string | null,
  templateId: string,
) {
  const maySeeSystem = owner !== null && isUuid(templateId);
  const system = maySeeSystem ? await deps.templates.findOwn(null, templateId) : null;
  const template = system ?? (await findOwnTemplate(deps, owner, templateId));
  const draft = template.draftedAtMs === null ? null : await deps.templates.draftOf(template);
  const isPublished = template.latestVersion > 0;
  return {
    ...authoredDetail(template),
    version: isPublished ? templateSnapshot(await latestVersion(deps, template)) : null,
    draft: draft === null ? null : draftSnapshot(template, draft),
  };
}
