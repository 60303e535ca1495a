import { execFileSync } from "node:child_process";

export type Process = { pid: number; command: string };

/** The living children of a process; those that ended and were not yet waited for do not count. */
export function childrenOf(pid: number): Process[] {
  return listed("--ppid", String(pid));
}

export function isAlive(pid: number): boolean {
  return listed("-p", String(pid)).length > 0;
}

function listed(...selection: string[]): Process[] {
  return output("ps", [...selection, "-o", "pid=,stat=,args="])
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && !match[2]?.startsWith("Z"))
    .map((match) => ({ pid: Number(match?.[1]), command: match?.[3] ?? "" }));
}

/** ps ends with 1 where it finds nothing. */
function output(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: "utf8" });
  } catch {
    return "";
  }
}
