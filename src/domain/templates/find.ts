import { PasswrightError } from "../errors.ts";
import type { RenderableTemplate, Template, TemplateStore } from "./template.ts";

/** A template that the tenant may see, or not_found. */
export async function findTemplate(
  deps: { templates: TemplateStore },
  tenantId: string,
  templateId: string,
): Promise<Template> {
  const template = await deps.templates.find(tenantId, templateId);
  if (template === null) throw new PasswrightError("not_found", `There is no template ${templateId}.`);
  return template;
}

/** The version that new passes of a template are made with. */
export async function latestVersion(
  deps: { templates: TemplateStore },
  template: Template,
): Promise<RenderableTemplate> {
  const renderable = await deps.templates.renderable(template, template.latestVersion);
  if (renderable === null) {
    throw new PasswrightError("internal_error", "The template's latest version is missing from the store.");
  }
  return renderable;
}
