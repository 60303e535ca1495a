import type { Violation } from "../domain/errors.ts";
import type { authoredDetail } from "../domain/templates/resource.ts";
import { factLines } from "./table.ts";

type Detail = ReturnType<typeof authoredDetail>;

/** Warnings go to standard error in any case: with `--json` nothing else of a command is read by people. */
export function printWarning({ path, message }: Violation): void {
  process.stderr.write(`Warning: ${path} ${message}\n`);
}

/** What to know of a template in which all is right, such as the iOS that a feature needs. */
export function printNote({ path, message }: Violation): void {
  process.stderr.write(`Note: ${path} ${message}\n`);
}

/** A template's facts for people. */
export function templateLines(template: Detail): string[] {
  return factLines({
    id: template.id,
    name: template.name,
    description: template.description ?? "-",
    type: template.template_type,
    intent: template.intent,
    status: template.status,
    owner: template.tenant_id ?? "system",
    wallets: template.providers.join(", "),
    version: template.latest_version === 0 ? "none is published" : template.latest_version,
    draft:
      template.draft === null
        ? "-"
        : `version ${template.draft.version} waits, of ${template.draft.created_at}`,
    created: template.created_at,
  });
}
