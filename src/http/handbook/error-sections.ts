/** What docs/errors.md says: `intro` before the first group, and then the codes of each group with their text. */
export type ErrorSections = {
  intro: string;
  groups: readonly { title: string; codes: readonly { code: string; markdown: string }[] }[];
};

/** Takes the page apart: a heading of the second level is a group, one of the third is a code. */
export function errorSections(markdown: string): ErrorSections {
  const [intro = "", ...groups] = markdown.split(/^## /m);
  return {
    intro,
    groups: groups.map((group) => {
      const [title = "", ...codes] = group.split(/^### /m);
      return { title: firstLine(title), codes: codes.map(codeSection) };
    }),
  };
}

function codeSection(section: string): { code: string; markdown: string } {
  const code = firstLine(section).replaceAll("`", "");
  return { code, markdown: section.slice(section.indexOf("\n") + 1).trim() };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trim() ?? "";
}
