/** What a tab shows, whatever it is about: facts, a table under them, and lines under that. */

export const tabs = ["overview", "jobs", "workers", "webhooks", "dead letters", "tenants"] as const;
export type Tab = (typeof tabs)[number];

/** How something is to be seen; terminals without colour show the same words. */
export type Tone = "plain" | "good" | "warning" | "bad" | "faint";

export type Fact = { name: string; text: string; tone?: Tone };

export type Column = {
  title: string;
  align?: "right";
  /** Of a screen that is too narrow for all, such a column gives first: an id says enough by its beginning. */
  isLong?: boolean;
};

export type Row = {
  /** Names the row from one reading to the next. */
  id: string;
  cells: string[];
  tone?: Tone;
  /** Whether there is more to be seen of it. */
  opens?: boolean;
  /** The tenant that it stands for, where others pages can be limited to it. */
  tenant?: Scope;
};

export type Page = {
  facts: Fact[];
  columns: Column[];
  rows: Row[];
  /** Instead of rows, where there are none. */
  empty: string;
  /** Where a page is text rather than rows. */
  lines?: string[];
  /** What the page could be limited to, such as the reasons of dead letters. */
  choices?: string[];
  /** A replay that runs. */
  replay?: RunningReplay;
  /** Whether the list goes on behind these rows. */
  hasMore?: boolean;
};

export type RunningReplay = { id: string; done: number; total: number };

/** Pages of one tenant only. */
export type Scope = { id: string; name: string };

/** Which page is looked at. `path`: the ids of the rows that were opened, one within the other. */
export type Place = {
  tab: Tab;
  path: readonly string[];
  scope: Scope | null;
  /** One of the page's choices. */
  choice: string | null;
  /** Of a list that is longer than is read at a time: how many such stretches come before. */
  stretch: number;
};

/** No more rows are read than anybody scrolls through. */
export const mostRows = 100;

export type ReadPage = (place: Place) => Promise<Page>;

export function placeKey({ tab, path, scope, choice, stretch }: Place): string {
  return JSON.stringify([tab, path, scope?.id ?? null, choice, stretch]);
}
