import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { until } from "./until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type Terminal = {
  /** Types: keys as tmux names them (`Enter`, `Escape`, `Tab`), all else as it is. */
  keys(...keys: string[]): void;
  /** What stands on the screen; `styled`: with the escape sequences that make it so. */
  screen(options?: { styled: boolean }): string;
  /** Resolves with the screen once something stands on it. */
  shows(what: RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** One of tmux's own facts: `alternate_on`, `cursor_flag`, `pane_pid`. */
  fact(name: string): string;
};

/** A terminal of the test's own with a shell in it, in the root of the project; it ends with the test. */
export function openTerminal(
  t: Test,
  { columns, rows, env }: { columns: number; rows: number; env: Record<string, string> },
): Terminal {
  const folder = mkdtempSync(join(tmpdir(), "passwright-tmux-"));
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", join(folder, "socket"), "-f", "/dev/null", ...args], {
      encoding: "utf8",
      cwd: root,
      env: { PATH: process.env.PATH ?? "", TERM: "screen", LANG: "C.UTF-8" },
    });
  const settings = Object.entries({ ...env, PATH: process.env.PATH ?? "", PS1: "$ ", LANG: "C.UTF-8" });
  const shell = ["env", "-i", "TERM=screen", ...settings.map(([name, value]) => `${name}=${value}`), "sh"];
  t.teardown(() => {
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  });
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), ...shell);
  const screen = ({ styled = false } = {}): string => tmux("capture-pane", "-p", ...(styled ? ["-e"] : []));
  return {
    screen,
    keys: (...keys) => void tmux("send-keys", ...keys),
    shows: (what) =>
      until(`the screen shows ${what}`, () => (what.test(screen()) ? screen() : null)).catch((error) => {
        throw new Error(`${error instanceof Error ? error.message : error}; it shows\n${screen()}`);
      }),
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    fact: (name) => tmux("display-message", "-p", `#{${name}}`).trim(),
  };
}
