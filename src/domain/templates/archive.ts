import { type AuthoredTemplate, findOwnTemplate, type TemplateAuthoring } from "./authoring.ts";

/**
 * Archives a template: no more passes are made from it. Those that there are go on, and can be updated. `changed` is
 * false where it was archived already. A draft goes on waiting.
 */
export async function archiveTemplate(
  deps: { templates: Pick<TemplateAuthoring, "findOwn" | "setStatus"> },
  owner: string | null,
  templateId: string,
): Promise<{ template: AuthoredTemplate; changed: boolean }> {
  const template = await findOwnTemplate(deps, owner, templateId);
  const outcome = await deps.templates.setStatus(owner, templateId, "archived");
  return { template: { ...template, status: "archived" }, changed: outcome === "changed" };
}
