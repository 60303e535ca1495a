import type { Interfaces } from "@oclif/core";

/** What may be typed behind some words of the command line. */
export type Place = {
  /** The words before: `` for the beginning, `tenants` for a topic, `tenants list` for a command. */
  words: string;
  next: { word: string; description: string }[];
  flags: { name: string; description: string; value: Value | null }[];
  /** What a command's first argument may be. */
  argument: Value;
};

/** Words, names of files, or something that only its author knows. */
export type Value = { options: readonly string[] } | "file" | "text";

const help = { name: "help", description: "Show how it is used", value: null };

/** Every place of the command line, made from the manifest of the commands. */
export function placesOf({
  commands,
  topics,
}: Pick<Interfaces.Config, "commands" | "topics">): readonly Place[] {
  const shown = commands.filter(({ hidden }) => !hidden);
  const described = new Map(topics.map(({ name, description }) => [name, description ?? ""]));
  for (const { id, summary, description } of shown) described.set(id, summary ?? description ?? "");
  const ids = [...described.keys()].sort();
  const below = (id: string) =>
    ids
      .filter((other) => parentOf(other) === id)
      .map((other) => ({
        word: other.slice(other.lastIndexOf(":") + 1),
        description: firstSentence(described.get(other) ?? ""),
      }));
  return ["", ...ids].map((id) => {
    const command = shown.find((each) => each.id === id);
    return {
      words: id.replaceAll(":", " "),
      next: below(id),
      flags: command === undefined ? [help] : [...flagsOf(command), help],
      argument: argumentOf(command),
    };
  });
}

function flagsOf(command: Pick<Interfaces.Config["commands"][number], "flags">): Place["flags"] {
  return Object.values(command.flags).flatMap((flag): Place["flags"] => {
    const description = firstSentence(flag.summary ?? flag.description ?? "");
    if (flag.type === "option") return [{ name: flag.name, description, value: valueOfFlag(flag) }];
    const plain = { name: flag.name, description, value: null };
    return flag.allowNo ? [plain, { ...plain, name: `no-${flag.name}` }] : [plain];
  });
}

function valueOfFlag({ options, helpValue }: { options?: readonly string[]; helpValue?: unknown }): Value {
  if (options !== undefined) return { options };
  return helpValue === "FILE" || helpValue === "DIR" ? "file" : "text";
}

function argumentOf(command: Interfaces.Config["commands"][number] | undefined): Value {
  const [first] = Object.values(command?.args ?? {});
  if (first?.options !== undefined) return { options: first.options };
  return first?.name === "file" || first?.name === "directory" ? "file" : "text";
}

function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf(":")));
}

function firstSentence(text: string): string {
  return (/^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\s+/g, " ").replace(/\.$/, "");
}
