import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { App } from "../app.ts";
import { publishTemplate } from "../domain/templates/publish.ts";
import { readTemplateDirectory } from "./template-directory.ts";

/** Installs the templates that ship with the product, where none of the system's are there yet. */
export async function ensureSystemTemplates(app: App): Promise<void> {
  const { total } = await app.templates.list(null, {}, { page: 1, pageSize: 1 });
  if (total > 0) return;
  const folder = fileURLToPath(new URL("../../templates/system/", import.meta.url));
  for (const name of readdirSync(folder).sort()) {
    const parsed = readTemplateDirectory(`${folder}${name}`);
    // Two servers that start together both come here: the one that is second finds the name taken.
    const present = await app.templates.findByName(null, parsed.name);
    if (present === null) await publishTemplate(app, null, parsed);
  }
  app.log.info({ folder: "templates/system" }, "templates.installed");
}
