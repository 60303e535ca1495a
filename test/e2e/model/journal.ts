import type { Answer, Request } from "./caller.ts";

export type Journal = ReturnType<typeof createJournal>;

/** What was asked and answered, to tell how a divergence came about. `about` names the passes or the batch concerned. */
export function createJournal() {
  const lines: { about: readonly string[]; line: string }[] = [];
  return {
    /** Counts what was written so far: an instant to compare with. */
    now: () => lines.length,
    note(who: string, about: readonly string[], { request, answer }: { request: Request; answer: Answer }) {
      const body = JSON.stringify(request.body) ?? "";
      const told = answer.json?.error ?? `${answer.json?.status} v${answer.json?.version ?? ""}`;
      const replay = answer.headers["idempotent-replayed"] === undefined ? "" : " replayed";
      const key = request.key === undefined ? "" : ` key=${request.key}`;
      const line = `${lines.length} ${who}: ${request.method} ${request.path}${key} ${body.slice(0, 2000)}`;
      lines.push({ about, line: `${line} -> ${answer.status} ${told}${replay}` });
    },
    /** The latest lines about one thing. */
    excerpt: (about: string) =>
      lines
        .filter((entry) => entry.about.includes(about))
        .slice(-25)
        .map(({ line }) => line),
  };
}

/** The API and the model disagree. */
export class Divergence extends Error {
  override readonly name = "Divergence";
  readonly about: string;
  constructor(about: string, message: string) {
    super(message);
    this.about = about;
  }
}

export function agree(about: string, what: string, found: unknown, wanted: unknown): void {
  const [is, should] = [sortedJson(found), sortedJson(wanted)];
  if (is !== should) throw new Divergence(about, `${about}: ${what} is ${is}, and should be ${should}`);
}

/** JSON that is the same for equal values, whatever the order of their members. */
function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part) =>
      part !== null && typeof part === "object" && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? "undefined"
  );
}
