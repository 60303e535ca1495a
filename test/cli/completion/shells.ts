import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { passwright } from "../fixtures/passwright.ts";

/** What was typed, and what must be and must not be offered for the last word of it. */
const cases: [typed: string, offered: string[], others: string[]][] = [
  ["passwright ten", ["tenants"], ["keys"]],
  ["passwright tenants ", ["list", "create", "delete"], ["rotate", "tenants"]],
  ["passwright providers set ", ["apple", "google"], ["list"]],
  ["passwright jobs list --st", ["--status"], ["--tenant"]],
  ["passwright jobs list --json --status ", ["queued", "failed"], ["--json", "list"]],
  ["passwright jobs list --status fa", ["failed"], ["queued"]],
  ["passwright providers show ", ["apple", "google"], ["list"]],
  ["passwright packages set pack", ["packages.json"], ["packages"]],
  ["passwright providers set apple --certificate pa", ["packages.json"], ["pass"]],
];

function folderWithFile(t: Test): string {
  const folder = t.testdir({ "packages.json": "[]", "other.txt": "" });
  return folder;
}

function has(shell: string): false | string {
  return spawnSync(shell, ["-c", "true"]).status === 0 ? false : `${shell} is not installed`;
}

/** Runs a shell and answers the lines that it printed. */
function run(t: Test, shell: string, args: string[], cwd: string, input = ""): string[] {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, LANG: "C.UTF-8", TERM: "dumb" };
  const { status, stdout, stderr } = spawnSync(shell, args, {
    cwd,
    env,
    input,
    encoding: "utf8",
    timeout: 60_000,
  });
  t.equal(status, 0, stderr);
  return stdout.split("\n").map((line) => line.trim());
}

function offers(t: Test, typed: string, found: string[], [offered, others]: [string[], string[]]): void {
  for (const word of offered) t.ok(found.includes(word), `«${typed}» offers ${word}: ${found.join(" ")}`);
  for (const word of others) t.notOk(found.includes(word), `«${typed}» does not offer ${word}`);
}

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await passwright(["autocomplete", shell]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

t.test("bash completes commands, flags, values and files", { skip: has("bash") }, async (t) => {
  const folder = folderWithFile(t);
  writeFileSync(join(folder, "completion.bash"), await script("bash"));
  const splitAtEqualsSign: typeof cases = [["passwright jobs list --status = fa", ["failed"], ["queued"]]];
  for (const [typed, ...expected] of [...cases, ...splitAtEqualsSign]) {
    const words = typed.split(" ").map((word) => `'${word}'`);
    const program = `
      source ./completion.bash
      complete -p passwright | grep -q -- '-F _passwright' || exit 9
      COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}
      _passwright
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    offers(t, typed, run(t, "bash", ["--norc", "-c", program], folder), expected);
  }
});

t.test("fish completes commands, flags, values and files", { skip: has("fish") }, async (t) => {
  const folder = folderWithFile(t);
  writeFileSync(join(folder, "completion.fish"), await script("fish"));
  for (const [typed, ...expected] of cases) {
    const program = `source ./completion.fish; complete -C '${typed}'`;
    const found = run(t, "fish", ["--no-config", "-c", program], folder);
    offers(
      t,
      typed,
      found.map((line) => line.split("\t")[0] ?? ""),
      expected,
    );
  }
});

t.test("zsh completes commands, flags, values and files", { skip: has("zsh") }, async (t) => {
  const folder = folderWithFile(t);
  mkdirSync(join(folder, "functions"));
  writeFileSync(join(folder, "functions", "_passwright"), await script("zsh"));
  for (const [typed, ...expected] of cases) {
    // A terminal within zsh types the line and Tab; what compadd is handed is written down.
    const program = `
      zmodload zsh/zpty
      zpty shell 'zsh -f -i'
      zpty -w shell 'PS1= PS2= RPS1=; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D'
      zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; print -l -- $found >> offered; builtin compadd "$@" }'
      zpty -w shell 'finish() { print -r -- end >> offered; zle kill-whole-line }; zle -N finish; bindkey "^X^F" finish; touch ready'
      while [[ ! -e ready ]]; do zselect -t 5 2>/dev/null || zpty -r -t shell chunk; done
      zpty -n -w shell ${quoted(typed)}$'\\t'$'\\C-x\\C-f'
      while ! grep -qx end offered 2>/dev/null; do zpty -r -t shell chunk; done
      zpty -d shell
      cat offered; rm offered ready`;
    offers(t, typed, run(t, "zsh", ["-f", "-c", program], folder), expected);
  }
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

t.test("a shell that is not known is wrong usage", async (t) => {
  const { code, stderr } = await passwright(["autocomplete", "zhs"]);
  t.equal(code, 2);
  t.match(stderr, /Did you mean «zsh»\?/);
});
