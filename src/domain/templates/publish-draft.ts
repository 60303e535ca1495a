import type { Clock } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { findOwnTemplate, type TemplateAuthoring } from "./authoring.ts";
import type { Template } from "./template.ts";

/**
 * Publishes the draft that waits, as the template's next version; passes are made with it from then on. An archived
 * template without a draft becomes active again, in the version that it has. Rejects with not_found, and invalid_state
 * when there is nothing to publish.
 */
export async function publishDraft(
  deps: {
    templates: Pick<TemplateAuthoring, "findOwn" | "draftOf" | "publishDraft" | "setStatus">;
    clock: Clock;
  },
  owner: string | null,
  templateId: string,
): Promise<{ template: Template; change: "published" | "activated" }> {
  const { draftedAtMs, ...found } = await findOwnTemplate(deps, owner, templateId);
  const draft = draftedAtMs === null ? null : await deps.templates.draftOf(found);
  if (draft === null) {
    const outcome = await deps.templates.setStatus(owner, templateId, "active");
    if (outcome === "changed") return { template: { ...found, status: "active" }, change: "activated" };
    throw new PasswrightError(
      "invalid_state",
      `«${found.name}» has no draft to publish. Import one with --draft, or without it to publish at once.`,
    );
  }
  const template: Template = {
    ...found,
    description: draft.description,
    providers: draft.providers,
    status: "active",
    latestVersion: found.latestVersion + 1,
  };
  const publishedAtMs = deps.clock.nowMs();
  if (await deps.templates.publishDraft({ template, draft, publishedAtMs })) {
    return { template, change: "published" };
  }
  // Not tried again: what waits now is not what the operator has looked at.
  throw new PasswrightError(
    "invalid_state",
    `«${found.name}» was changed by somebody else at this moment. Look at it, then publish again.`,
  );
}
