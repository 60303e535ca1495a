import type { Place, Value } from "./command-words.ts";

/** A completion for zsh: to be evaluated after compinit, or kept as _passwright in a folder of $fpath. */
export function zshCompletion(bin: string, places: readonly Place[]): string {
  const known = places.filter(({ words }) => words !== "").map(({ words }) => quoted(words));
  return `#compdef ${bin}
# zsh completion for ${bin}; made by «${bin} autocomplete zsh».
_${bin}() {
  local command="" candidate i
  local -a next
  for (( i = 2; i < CURRENT; i++ )); do
    candidate="\${command:+$command }\${words[i]}"
    case "$candidate" in
      ${known.join("|")}) command=$candidate ;;
      *) break ;;
    esac
  done
  # What follows is completed as if the command were one word.
  words=("$command" "\${(@)words[i,-1]}")
  (( CURRENT -= i - 2 ))
  case "$command" in
${places.map(placeLines).join("\n")}
  esac
}

if [[ "$funcstack[1]" == "_${bin}" ]]; then _${bin} "$@"; else compdef _${bin} ${bin}; fi
`;
}

function placeLines({ words, next, flags, argument }: Place): string {
  const specs = flags.map(({ name, description, value }) =>
    quoted(`--${name}[${bracketed(description)}]${value === null ? "" : `:value:${action(value)}`}`),
  );
  const lines = [`    ${quoted(words)})`];
  if (next.length > 0) {
    const items = next.map(({ word, description }) =>
      quoted(`${word}:${description.replaceAll(":", "\\:")}`),
    );
    lines.push(
      `      next=(${items.join(" ")})`,
      "      [[ $words[CURRENT] == -* ]] || _describe command next",
    );
  }
  if (next.length === 0) specs.push(quoted(`*:argument:${action(argument)}`));
  lines.push(`      _arguments -S ${specs.join(" ")}`, "      ;;");
  return lines.join("\n");
}

function action(value: Value): string {
  if (value === "file") return "_files";
  return value === "text" ? " " : `(${value.options.join(" ")})`;
}

/** Brackets and colons mean something within the description of an option. */
function bracketed(text: string): string {
  return text.replace(/[[\]\\:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
