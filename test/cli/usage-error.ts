import t from "tap";
import { usageMessage } from "../../src/cli/usage-error.ts";

const known = ["json", "tenant", "limit", "status"];
const seeMore = "\nSee more help with --help";

/** What oclif says, and what is made of it. */
const cases: [oclif: { message: string; flags?: string[]; args?: object[] }, line: string][] = [
  [
    { message: `Nonexistent flag: --jsn${seeMore}`, flags: ["--jsn"] },
    "There is no flag --jsn. Did you mean --json?",
  ],
  [
    { message: `Nonexistent flags: --tenent=7, --limt${seeMore}`, flags: ["--tenent=7", "--limt"] },
    "There is no flag --tenent=7, --limt. Did you mean --tenant and --limit?",
  ],
  [
    { message: `Nonexistent flag: --frobnicate${seeMore}`, flags: ["--frobnicate"] },
    "There is no flag --frobnicate.",
  ],
  [
    { message: `Expected --status=faild to be one of: queued, failed${seeMore}` },
    "--status must be one of queued, failed, not «faild». Did you mean «failed»?",
  ],
  [
    { message: `Expected aple to be one of: apple, google${seeMore}` },
    "The argument must be one of apple, google, not «aple». Did you mean «apple»?",
  ],
  [
    { message: `The following error occurred:\n  \u001b[2mMissing required flag tenant\u001b[22m${seeMore}` },
    "Missing required flag --tenant",
  ],
  [
    { message: `The following errors occurred:\n  Missing required flag name\n  Missing required flag type` },
    "Missing required flag --name; Missing required flag --type",
  ],
  [
    {
      message: `Missing 1 required arg:\nid  the tenant's id${seeMore}`,
      args: [{ name: "id", description: "the tenant's id" }],
    },
    "Missing ID (the tenant's id).",
  ],
  [
    { message: `Parsing --credits \n\tExpected an integer but received: x${seeMore}` },
    "--credits must be an integer, not «x».",
  ],
];

t.test("what oclif says about wrong usage becomes one line, with what was probably meant", async (t) => {
  for (const [error, line] of cases) t.equal(usageMessage(error, known), line);
});
