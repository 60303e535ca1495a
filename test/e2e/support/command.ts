import { execFile } from "node:child_process";
import { type Environment, environmentOf, root } from "./passwright.ts";

export type CommandResult = {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output, which must then be one JSON document. */
  json(): ReturnType<typeof JSON.parse>;
};

/** Runs `passwright` with the arguments, without a terminal. */
export function runCommand(
  args: readonly string[],
  { settings = {} }: { settings?: Environment } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["bin/run.js", ...args],
      { cwd: root, env: environmentOf(settings), timeout: 30_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : Number.NaN;
        const json = () => {
          if (code !== 0)
            throw new Error(`passwright ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
          return JSON.parse(stdout);
        };
        resolve({ code, stdout, stderr, json });
      },
    );
  });
}
