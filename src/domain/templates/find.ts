import { PasswrightError } from "../errors.ts";
import type { RenderableTemplate, Template, TemplateStore } from "./template.ts";

/** A template that the tenant may see, or not_found. */
export async function findTemplate(
  deps: { templates: TemplateStore },
  tenantId: string,
  templateId: string,
): Promise<Template> {
  const template = await deps.templates.find(tenantId, templateId);
  if (template === null) throw new PasswrightError("not_found", "There is no template with this id.");
  return template;
}

/** The template of a pass, in the version that the pass is on. */
export async function templateOfPass(
  deps: { templates: TemplateStore },
  pass: { tenantId: string; templateId: string; templateVersion: number },
): Promise<RenderableTemplate> {
  const template = await deps.templates.find(pass.tenantId, pass.templateId);
  const renderable = template && (await deps.templates.renderable(template, pass.templateVersion));
  if (renderable === null) {
    throw new PasswrightError("internal_error", "The pass's template version is missing from the store.");
  }
  return renderable;
}

/** The version that new passes of a template are made with. */
export async function latestVersion(
  deps: { templates: Pick<TemplateStore, "renderable"> },
  template: Template,
): Promise<RenderableTemplate> {
  const renderable = await deps.templates.renderable(template, template.latestVersion);
  if (renderable === null) {
    throw new PasswrightError("internal_error", "The template's latest version is missing from the store.");
  }
  return renderable;
}
