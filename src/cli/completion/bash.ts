import type { Place, Value } from "./command-words.ts";

/** A completion for bash 3.2 and newer, which macOS has, without the package bash-completion. */
export function bashCompletion(bin: string, places: readonly Place[]): string {
  const known = places.filter(({ words }) => words !== "").map(({ words }) => `"${words}"`);
  const values = places.flatMap(({ words, flags }) =>
    flags.flatMap(({ name, value }) =>
      value === null ? [] : [`    "${words} --${name}") ${offered(value)}; return ;;`],
    ),
  );
  const nexts = places.map(({ words, next, flags, argument }) => {
    const all = [
      ...next.map(({ word }) => word),
      ...optionsOf(argument),
      ...flags.map(({ name }) => `--${name}`),
    ];
    const files = argument === "file" ? `[[ $cur == -* ]] || { ${offered("file")}; return; }; ` : "";
    return `    "${words}") ${files}_${bin}_offer "${all.join(" ")}" ;;`;
  });
  return `# bash completion for ${bin}; made by «${bin} autocomplete bash».
_${bin}_offer() {
  local IFS=$' \\t\\n'
  COMPREPLY=( $(compgen -W "$1" -- "$cur") )
}

_${bin}_files() {
  local IFS=$'\\n'
  COMPREPLY=( $(compgen -f -- "$cur") )
}

_${bin}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command="" candidate i
  COMPREPLY=()
  # Bash takes --flag=value for three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    candidate="\${command:+$command }\${COMP_WORDS[i]}"
    case "$candidate" in
      ${known.join("|")}) command=$candidate ;;
      *) break ;;
    esac
  done
  case "$command $prev" in
${values.join("\n")}
  esac
  case "$command" in
${nexts.join("\n")}
  esac
}

complete -F _${bin} ${bin}
`;

  function offered(value: Value): string {
    if (value === "file") return `_${bin}_files`;
    return value === "text" ? ":" : `_${bin}_offer "${value.options.join(" ")}"`;
  }
}

function optionsOf(value: Value): readonly string[] {
  return typeof value === "object" ? value.options : [];
}
