import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { App } from "../app.ts";
import { installTemplate } from "../domain/templates/publish.ts";
import { readTemplateDirectory } from "./template-directory.ts";

/** Installs the templates that ship with the product, where none of the system's are there yet. */
export async function ensureSystemTemplates(app: App): Promise<void> {
  const folder = fileURLToPath(new URL("../../templates/system/", import.meta.url));
  for (const name of readdirSync(folder).sort()) {
    const parsed = readTemplateDirectory(`${folder}${name}`);
    const installed = await installTemplate(app, null, parsed);
    if (installed) app.log.info({ template: parsed.name }, "template.installed");
  }
}
