import t from "tap";
import { type Check, type Finding, failed, ok, warning } from "../../../src/domain/doctor/check.ts";
import { checks, checksTable } from "../../../src/domain/doctor/checks.ts";
import { type Examination, examine } from "../../../src/domain/doctor/examine.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { settableClock } from "../../support/clock.ts";

type State = { isBroken: boolean };

function check(name: string, look: (state: State) => Promise<Finding[]>, only?: Check<State>["only"]) {
  return { name, expects: "", look, ...(only !== undefined && { only }) };
}

const well = check("well", async () => [ok("It is.")]);
const broken = check("broken", async (state) =>
  state.isBroken
    ? [
        failed("It is broken.", "Mend it.", {
          does: "mend it",
          async apply() {
            state.isBroken = false;
            return "Mended.";
          },
        }),
      ]
    : [ok("It is whole.")],
);
const away = check("away", async () => {
  throw new PasswrightError("unavailable", "Redis does not answer.");
});
const outward = check("outward", async () => [warning("It is far.", "Come nearer.")], "online");
const thorough = check("thorough", async () => [ok("All of it.")], "deep");

function examination(given: Partial<Examination<State>> & Pick<Examination<State>, "checks">) {
  return {
    ...{ needs: { isBroken: true }, clock: settableClock(0), online: true, deep: true, mend: null },
    ...given,
  };
}

t.test("every check is made, in order, whatever the one before came to", async (t) => {
  const report = await examine(examination({ checks: [away, well, broken, outward] }));
  t.strictSame(report, {
    status: "failed",
    checked_at: "1970-01-01T00:00:00.000Z",
    counts: { ok: 1, warning: 1, failed: 1, unknown: 1, skipped: 0 },
    findings: [
      {
        check: "away",
        status: "unknown",
        message: "Could not be looked at: Redis does not answer.",
        remedy: "See what redis says, then run it again.",
        fixable: false,
      },
      { check: "well", status: "ok", message: "It is.", remedy: null, fixable: false },
      { check: "broken", status: "failed", message: "It is broken.", remedy: "Mend it.", fixable: true },
      { check: "outward", status: "warning", message: "It is far.", remedy: "Come nearer.", fixable: false },
    ],
    fixes: [],
  });
});

t.test("the whole is as bad as its worst part; what could not be looked at is a warning", async (t) => {
  const statusOf = async (...parts: Check<State>[]) => (await examine(examination({ checks: parts }))).status;
  t.equal(await statusOf(well), "ok");
  t.equal(await statusOf(well, outward), "warning");
  t.equal(await statusOf(well, away), "warning");
  t.equal(await statusOf(broken, away), "failed");
});

t.test("what was not asked for is skipped, which is no fault", async (t) => {
  const report = await examine(examination({ checks: [outward, thorough], online: false, deep: false }));
  t.match(report, {
    status: "ok",
    findings: [
      { status: "skipped", message: /--offline/ },
      { status: "skipped", message: /--deep/ },
    ],
  });
});

t.test("what is mended is looked at again, and both are told", async (t) => {
  const mended: string[] = [];
  const report = await examine(
    examination({
      checks: [broken],
      mend: (name, fix) => {
        mended.push(name);
        return fix.apply();
      },
    }),
  );
  t.strictSame(mended, ["broken"]);
  t.match(report, {
    status: "ok",
    findings: [{ check: "broken", status: "ok", message: "It is whole." }],
    fixes: [{ check: "broken", does: "mend it", done: true, result: "Mended." }],
  });
});

t.test("a fix that fails leaves the finding, and says why", async (t) => {
  const refuse = async (): Promise<string> => {
    throw new PasswrightError("unavailable", "Redis went away.");
  };
  const report = await examine(examination({ checks: [broken, well], mend: refuse }));
  t.match(report, {
    status: "failed",
    findings: [{ status: "failed" }, { status: "ok" }],
    fixes: [{ done: false, result: "Redis went away." }],
  });
});

t.test("names of checks are words that scripts can look for, each once", async (t) => {
  const names = checks.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  for (const name of names) t.match(name, /^[a-z]+(-[a-z]+)*$/);
  t.equal(checksTable().split("\n").length, names.length + 2);
});
