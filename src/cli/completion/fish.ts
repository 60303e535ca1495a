import type { Place, Value } from "./command-words.ts";

/** A completion for fish. */
export function fishCompletion(bin: string, places: readonly Place[]): string {
  const known = places.filter(({ words }) => words !== "").map(({ words }) => quoted(words));
  const lines = places.flatMap(({ words, next, flags, argument }) => {
    const at = `complete -c ${bin} -n ${quoted(`__${bin}_at ${quoted(words)}`)}`;
    return [
      ...next.map(({ word, description }) => `${at} -a ${word} -d ${quoted(description)}`),
      ...flags.map(
        ({ name, description, value }) => `${at} -l ${name}${valueFlags(value)} -d ${quoted(description)}`,
      ),
      ...(argument === "file" ? [`${at} -F`] : []),
      ...(typeof argument === "object" ? [`${at} -a ${quoted(argument.options.join(" "))}`] : []),
    ];
  });
  return `# fish completion for ${bin}; made by «${bin} autocomplete fish».
set -g __${bin}_commands ${known.join(" ")}

function __${bin}_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    for word in $words
        contains -- (string join ' ' -- $command $word) $__${bin}_commands; or break
        set -a command $word
    end
    test "$command" = "$argv[1]"
end

complete -c ${bin} -f
${lines.join("\n")}
`;
}

function valueFlags(value: Value | null): string {
  if (value === null) return "";
  if (value === "file") return " -r -F";
  return value === "text" ? " -x" : ` -x -a ${quoted(value.options.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
