import { PasswrightError } from "../errors.ts";
import { intents, type RenderableTemplate } from "./template.ts";

export type SamplePass = {
  template_id: string;
  intent: string;
  external_ref: string;
  data: Record<string, string>;
};

/**
 * A body for POST /passes to edit: Static fields with the template's default, Placeholders as `{{key}}`, Computed
 * ones left out. Accepted as soon as the tokens are replaced.
 */
export function samplePass({ template, version }: RenderableTemplate): SamplePass {
  if (template.status !== "active") {
    throw new PasswrightError(
      "invalid_template",
      "The template is archived: no more passes are made from it.",
    );
  }
  const data: Record<string, string> = {};
  for (const field of version.content.fields) {
    if (field.kind === "Static") data[field.key] = field.default ?? "";
    if (field.kind === "Placeholder") data[field.key] = `{{${field.key}}}`;
  }
  return {
    template_id: template.id,
    intent: intents[template.type],
    external_ref: "{{external_ref}}",
    data,
  };
}
