import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Passwright, root } from "./passwright.ts";

/** A copy of the loyalty card that ships with the product, with other members in its template.json. */
export function templateDirectory({ dataDir }: Passwright, changes: object): string {
  const directory = mkdtempSync(`${dataDir}-template-`);
  cpSync(join(root, "templates", "system", "loyalty-card"), directory, { recursive: true });
  const file = join(directory, "template.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...changes }));
  return directory;
}
