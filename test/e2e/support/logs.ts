import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import type { Passwright } from "./passwright.ts";

/** Everything that all parts of `up` have said: its standard error, and what it keeps in log files. */
export function everythingLogged({ dataDir, stderr }: Passwright): string {
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".log"),
  );
  return [stderr(), ...files.map((name) => readFileSync(join(dataDir, name), "utf8"))].join("\n");
}

/** Secrets by name; none may have been logged, whole or as the part that would be enough to guess it. */
export function nothingLogged(t: Test, service: Passwright, secrets: Record<string, string>): void {
  const logged = everythingLogged(service);
  t.match(logged, /http\.request/, "requests are logged at all");
  for (const [name, secret] of Object.entries(secrets)) {
    t.ok(secret.length >= 8, `${name} is there to be looked for`);
    t.notOk(logged.includes(secret), `${name} was logged`);
  }
}
