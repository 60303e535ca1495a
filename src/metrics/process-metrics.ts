import { Counter, Gauge, Registry } from "prom-client";

type Watched = {
  ready(): number;
  deaths(): number;
  metrics(): Promise<readonly { process: number; text: string }[]>;
};

/** What several processes that do the same show together: each series of each with its number, as `process`. */
export function createProcessMetrics({ ready, deaths, metrics }: Watched) {
  const registry = new Registry();
  new Gauge({
    name: "passwright_serve_processes_ready",
    help: "Processes of this serve that answer requests",
    registers: [registry],
    collect() {
      this.set(ready());
    },
  });
  new Counter({
    name: "passwright_serve_process_deaths_total",
    help: "Processes of this serve that ended without being told to, and were started again",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(deaths());
    },
  });
  return {
    text: async (): Promise<string> => (await registry.metrics()) + joinedByProcess(await metrics()),
  };
}

/** One text of many: each metric once with all its series, as the format demands. */
export function joinedByProcess(texts: readonly { process: number; text: string }[]): string {
  const families = new Map<string, { head: Set<string>; samples: string[] }>();
  for (const { process, text } of texts) {
    let family = { head: new Set<string>(), samples: [] as string[] };
    for (const line of text.split("\n")) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { head: new Set(), samples: [] };
        families.set(name, family);
        family.head.add(line);
      } else if (line !== "") {
        family.samples.push(withLabel(line, `process="${process}"`));
      }
    }
  }
  return [...families.values()].map(({ head, samples }) => [...head, ...samples, ""].join("\n")).join("");
}

function withLabel(sample: string, label: string): string {
  const [, name = "", brace, rest = ""] = /^([\w:]+)(\{?)(.*)$/s.exec(sample) ?? [];
  return brace === "{" ? `${name}{${label},${rest}` : `${name}{${label}}${rest}`;
}
