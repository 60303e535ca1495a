import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { ParsedTemplate } from "./parse.ts";
import type { Template, TemplateStore } from "./template.ts";

/**
 * Publishes what an author wrote: as the first version of a new template, or as the next version of the
 * tenant's (null: the system's) template of the same name.
 */
export async function publishTemplate(
  deps: { templates: TemplateStore; ids: Ids; clock: Clock },
  tenantId: string | null,
  parsed: ParsedTemplate,
): Promise<Template> {
  const earlier = await deps.templates.findByName(tenantId, parsed.name);
  if (earlier !== null && earlier.type !== parsed.type) {
    throw new PasswrightError(
      "invalid_template",
      `«${parsed.name}» exists with the type ${earlier.type}; a template keeps its type. Choose another name.`,
    );
  }
  const nowMs = deps.clock.nowMs();
  const template: Template = {
    id: earlier?.id ?? deps.ids.uuid(),
    tenantId,
    name: parsed.name,
    type: parsed.type,
    description: parsed.description,
    providers: parsed.providers,
    status: "active",
    latestVersion: (earlier?.latestVersion ?? 0) + 1,
    createdAtMs: earlier?.createdAtMs ?? nowMs,
  };
  const published = await deps.templates.publish({
    template,
    content: parsed.content,
    images: parsed.images,
    publishedAtMs: nowMs,
  });
  if (!published) {
    throw new PasswrightError(
      "invalid_state",
      `«${parsed.name}» was published by somebody else at this moment. Look at it, then import again.`,
    );
  }
  return template;
}
