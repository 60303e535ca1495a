import { bodyGroups, type TemplateContent, type TemplateField } from "../../domain/templates/template.ts";

/** https://developers.google.com/wallet/reference/rest/v1/TextModuleData */
export type TextModule = { id: string; header?: string; body: string };

type TemplateItem = { firstValue: { fields: { fieldPath: string }[] } };
type CardRow =
  | { oneItem: { item: TemplateItem } }
  | { twoItems: { startItem: TemplateItem; endItem: TemplateItem } }
  | { threeItems: { startItem: TemplateItem; middleItem: TemplateItem; endItem: TemplateItem } };

/** https://developers.google.com/wallet/generic/resources/template */
export type ClassTemplateInfo = { cardTemplateOverride: { cardRowTemplateInfos: CardRow[] } };

/** «The maximum number of these fields displayed is 10 from the object.» */
const maxModules = 10;

/** A field that the body shows, with the id of its text module. */
type ShownField = { field: TemplateField; id: string };

/**
 * The values of a pass as text modules: body groups in order, without the fields in `used` (shown elsewhere)
 * and those without a value; ten at most.
 */
export function textModules(
  content: Pick<TemplateContent, "fields" | "body">,
  values: ReadonlyMap<string, string>,
  used: ReadonlySet<string>,
): TextModule[] {
  const modules: TextModule[] = [];
  for (const { field, id } of shownFields(content)) {
    const body = values.get(field.key) ?? "";
    if (body === "" || used.has(field.key)) continue;
    modules.push({ id, ...(field.label !== "" && { header: field.label }), body });
  }
  return modules.slice(0, maxModules);
}

/**
 * The front of a generic pass, which by itself shows no text module: a row for each of the groups header, secondary
 * and auxiliary, three fields at most, the others stay among the details.
 */
export function cardRows(content: Pick<TemplateContent, "fields" | "body">): ClassTemplateInfo | undefined {
  const ids = new Map(shownFields(content).map(({ field, id }) => [field.key, id]));
  const rows = ([content.body.header, content.body.secondary, content.body.auxiliary] as const).flatMap(
    (keys) => row(keys.flatMap((key) => ids.get(key) ?? [])) ?? [],
  );
  return rows.length === 0 ? undefined : { cardTemplateOverride: { cardRowTemplateInfos: rows } };
}

function row(ids: readonly string[]): CardRow | undefined {
  const [first, second, third] = ids.map(
    (id): TemplateItem => ({ firstValue: { fields: [{ fieldPath: `object.textModulesData['${id}']` }] } }),
  );
  if (first === undefined) return undefined;
  if (second === undefined) return { oneItem: { item: first } };
  if (third === undefined) return { twoItems: { startItem: first, endItem: second } };
  return { threeItems: { startItem: first, middleItem: second, endItem: third } };
}

/** In the order of the body, each once. Ids are the keys; they may hold no dots, since field paths are cut at them. */
function shownFields({ fields, body }: Pick<TemplateContent, "fields" | "body">): ShownField[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const keys = new Set(bodyGroups.flatMap((group) => body[group]));
  const ids = new Set<string>();
  return [...keys].flatMap((key) => {
    const field = byKey.get(key);
    if (field === undefined) return [];
    const plain = key.replaceAll(".", "_");
    let id = plain;
    for (let n = 2; ids.has(id); n++) id = `${plain}-${n}`;
    ids.add(id);
    return [{ field, id }];
  });
}
