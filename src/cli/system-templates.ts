import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { App } from "../app.ts";
import { PasswrightError } from "../domain/errors.ts";
import { publishTemplate } from "../domain/templates/publish.ts";
import { readTemplateDirectory } from "./template-directory.ts";

/** Installs the templates that ship with the product, where none of the system's are there yet. */
export async function ensureSystemTemplates(app: App): Promise<void> {
  const folder = fileURLToPath(new URL("../../templates/system/", import.meta.url));
  for (const name of readdirSync(folder).sort()) {
    const parsed = readTemplateDirectory(`${folder}${name}`);
    if ((await app.templates.findByName(null, parsed.name)) !== null) continue;
    await publishTemplate(app, null, parsed).catch((error: unknown) => {
      // Another server that starts at the same time was faster.
      if (!(error instanceof PasswrightError && error.code === "invalid_state")) throw error;
    });
    app.log.info({ template: parsed.name }, "template.installed");
  }
}
