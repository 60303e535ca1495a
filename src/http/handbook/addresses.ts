/** A page that is made of a file of the repository. `file` is its path from the root. */
export type HandbookPage = { name: string; file: string; title: string };

/** What the navigation shows, group by group. */
export const handbookGroups: readonly { title: string; pages: readonly HandbookPage[] }[] = [
  {
    title: "Guides",
    pages: [
      { name: "first-pass", file: "docs/first-pass.md", title: "First pass" },
      { name: "templates", file: "docs/templates.md", title: "Templates" },
      { name: "webhooks", file: "docs/webhooks.md", title: "Webhooks" },
      { name: "billing", file: "docs/billing.md", title: "Billing" },
      { name: "live-with-apple", file: "docs/live-with-apple.md", title: "Going live with Apple" },
      { name: "live-with-google", file: "docs/live-with-google.md", title: "Going live with Google" },
    ],
  },
  {
    title: "Look up",
    pages: [
      { name: "template-json", file: "templates/README.md", title: "Everything in a template" },
      { name: "apple-members", file: "docs/apple-members.md", title: "Members of pass.json" },
      { name: "google-members", file: "docs/google-members.md", title: "Members of a Google class" },
      { name: "states", file: "docs/states.md", title: "States" },
      { name: "sandbox", file: "docs/sandbox.md", title: "The sandbox" },
    ],
  },
  {
    title: "Run it",
    pages: [
      { name: "operations", file: "docs/operations.md", title: "Operations" },
      { name: "configuration", file: "docs/configuration.md", title: "Settings" },
      { name: "command-line", file: "docs/command-line.md", title: "Command line" },
      { name: "reliability", file: "docs/reliability.md", title: "Reliability" },
      { name: "redis", file: "docs/redis.md", title: "Redis" },
      { name: "architecture", file: "docs/architecture.md", title: "Architecture" },
    ],
  },
];

export const handbookPages: readonly HandbookPage[] = handbookGroups.flatMap(({ pages }) => pages);

/** Its sections are the pages of the error codes. */
export const errorsFile = "docs/errors.md";

export const guidesPath = "/docs/guides";
export const problemsPath = "/docs/problems";

export function guidePath(name: string): string {
  return `${guidesPath}/${name}`;
}

/** The page of an error code: what `type` of problem details names. */
export function problemPath(code: string): string {
  return `${problemsPath}/${code}`;
}
