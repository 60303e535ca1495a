import type { Violation } from "../errors.ts";
import type { TemplateContent } from "../templates/template.ts";
import type { PassData } from "./pass.ts";

/** What is wrong with a pass's data in the eyes of its template; empty when nothing is. */
export function dataViolations(content: Pick<TemplateContent, "fields">, data: PassData): Violation[] {
  const violations: Violation[] = [];
  const fault = (key: string, message: string): void => {
    violations.push({ path: `/data/${key}`, message });
  };
  const fields = new Map(content.fields.map((field) => [field.key, field]));
  for (const [key, value] of Object.entries(data)) {
    const field = fields.get(key);
    if (field === undefined) {
      const known = content.fields.filter((f) => f.kind !== "Computed").map((f) => f.key);
      fault(key, `is not a field of the template; it has ${known.join(", ")}`);
    } else if (field.kind === "Computed") {
      fault(key, "is filled in by the service and must not be given");
    } else if (field.max_length !== undefined && [...value].length > field.max_length) {
      fault(key, `must not have more than ${field.max_length} characters`);
    }
  }
  for (const field of content.fields) {
    const missing =
      field.kind === "Placeholder" && field.default === undefined && !Object.hasOwn(data, field.key);
    if (missing) fault(field.key, "is required by the template");
  }
  return violations;
}
