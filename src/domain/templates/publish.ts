import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { AuthoredTemplate, TemplateAuthoring } from "./authoring.ts";
import type { ParsedTemplate } from "./parse.ts";
import type { Template } from "./template.ts";

export type ImportDeps = {
  templates: Pick<TemplateAuthoring, "findByName" | "publish" | "keepDraft">;
  ids: Ids;
  clock: Clock;
};

/** How often an import is tried whose template others change at the same moment: of those who try, one always succeeds. */
const attempts = 20;

/**
 * Publishes what an author wrote: as the first version of a new template, or as the next version of the owner's (null:
 * the system's) template of the same name, which is active then, whatever it was. A draft that waited is dropped.
 */
export async function publishTemplate(
  deps: ImportDeps,
  owner: string | null,
  parsed: ParsedTemplate,
): Promise<{ template: Template; droppedDraft: boolean }> {
  return untilUndisturbed(parsed, async () => {
    const earlier = await earlierOf(deps, owner, parsed);
    const publishedAtMs = deps.clock.nowMs();
    const template = templateFrom(parsed, {
      id: earlier?.id ?? deps.ids.uuid(),
      tenantId: owner,
      status: "active",
      latestVersion: (earlier?.latestVersion ?? 0) + 1,
      createdAtMs: earlier?.createdAtMs ?? publishedAtMs,
    });
    const { content, images } = parsed;
    const published = await deps.templates.publish({ template, content, images, publishedAtMs });
    return published ? { template, droppedDraft: (earlier?.draftedAtMs ?? null) !== null } : null;
  });
}

/** Publishes a first version, unless the owner has a template of that name already: then false, and nothing happens. */
export async function installTemplate(
  deps: ImportDeps,
  owner: string | null,
  parsed: ParsedTemplate,
): Promise<boolean> {
  if ((await deps.templates.findByName(owner, parsed.name)) !== null) return false;
  const nowMs = deps.clock.nowMs();
  const template = templateFrom(parsed, {
    id: deps.ids.uuid(),
    tenantId: owner,
    status: "active",
    latestVersion: 1,
    createdAtMs: nowMs,
  });
  const { content, images } = parsed;
  return deps.templates.publish({ template, content, images, publishedAtMs: nowMs });
}

/**
 * Keeps what an author wrote as a draft of the owner's template of the same name, or of a new one, until it is published.
 * It takes the place of an earlier draft. Until then nobody but operators sees anything of it.
 */
export async function draftTemplate(
  deps: ImportDeps,
  owner: string | null,
  parsed: ParsedTemplate,
): Promise<AuthoredTemplate> {
  return untilUndisturbed(parsed, async () => {
    const earlier = await earlierOf(deps, owner, parsed);
    const draftedAtMs = deps.clock.nowMs();
    const isPublished = earlier !== null && earlier.latestVersion > 0;
    const template: Template = isPublished
      ? earlier
      : templateFrom(parsed, {
          id: earlier?.id ?? deps.ids.uuid(),
          tenantId: owner,
          status: "active",
          latestVersion: 0,
          createdAtMs: earlier?.createdAtMs ?? draftedAtMs,
        });
    const { description, providers, content, images } = parsed;
    const drafted = { ...template, description, providers };
    const kept = await deps.templates.keepDraft({ template: drafted, content, images, draftedAtMs });
    return kept ? { ...template, draftedAtMs } : null;
  });
}

/** The owner's template of the same name, or null. A template that was published keeps its type. */
async function earlierOf(
  deps: Pick<ImportDeps, "templates">,
  owner: string | null,
  parsed: ParsedTemplate,
): Promise<AuthoredTemplate | null> {
  const earlier = await deps.templates.findByName(owner, parsed.name);
  if (earlier !== null && earlier.latestVersion > 0 && earlier.type !== parsed.type) {
    throw new PasswrightError(
      "invalid_template",
      `«${parsed.name}» exists with the type ${earlier.type}; a template keeps its type. Choose another name.`,
    );
  }
  return earlier;
}

function templateFrom(
  { name, type, description, providers }: ParsedTemplate,
  other: Omit<Template, "name" | "type" | "description" | "providers">,
): Template {
  return { ...other, name, type, description, providers };
}

/** Tries again what somebody else was faster with, on what he left. */
async function untilUndisturbed<Result>(
  parsed: ParsedTemplate,
  attempt: () => Promise<Result | null>,
): Promise<Result> {
  for (let left = attempts; left > 0; left--) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new PasswrightError(
    "invalid_state",
    `«${parsed.name}» is changed by others all the time. Look at it, then import again.`,
  );
}
