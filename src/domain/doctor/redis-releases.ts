type Version = readonly [major: number, minor: number, patch: number];

type BadRelease = {
  product: "Redis" | "Valkey";
  /** The first that is affected, and the first that is not any more. */
  from: Version;
  fixedIn: Version;
  trouble: string;
};

/** docs/redis.md, «What the server must be». Valkey began at 7.2. */
const oldest: Version = [7, 0, 0];

/**
 * Releases whose faults the commands of this service meet. Worst first: the first that matches is told.
 *
 * - XAUTOCLAIM, which finds dead workers' work, writes past the end of its memory where an entry of the stream has been
 *   deleted, until 7.0.4: https://github.com/redis/redis/issues/10968 (a crash of 7.0.3), CVE-2022-31144.
 * - The same command with a large COUNT, until 7.0.5: CVE-2022-35951, release notes of 7.0.5.
 * - cjson, which many of the scripts use, overflows its memory with large texts, until 7.0.12: CVE-2022-24834.
 * - Use after free in Lua's garbage collector, for whoever may run scripts: CVE-2025-49844, fixed in Redis 7.2.11, 7.4.6,
 *   8.0.4 and 8.2.2, and in Valkey 7.2.11, 8.0.6 and 8.1.4. Distributions have put the fix into their packages of 7.0,
 *   which no number shows: 7.0 is left out.
 */
const badReleases: readonly BadRelease[] = [
  bad("Redis", [7, 0, 0], [7, 0, 4], "XAUTOCLAIM can crash it when a worker dies (CVE-2022-31144)"),
  bad("Redis", [7, 0, 4], [7, 0, 5], "XAUTOCLAIM can overflow its memory (CVE-2022-35951)"),
  bad("Redis", [7, 0, 5], [7, 0, 12], "cjson in scripts can overflow its memory (CVE-2022-24834)"),
  ...(
    [
      ["Redis", [7, 2, 0], [7, 2, 11]],
      ["Redis", [7, 4, 0], [7, 4, 6]],
      ["Redis", [8, 0, 0], [8, 0, 4]],
      ["Redis", [8, 2, 0], [8, 2, 2]],
      ["Valkey", [7, 2, 0], [7, 2, 11]],
      ["Valkey", [8, 0, 0], [8, 0, 6]],
      ["Valkey", [8, 1, 0], [8, 1, 4]],
    ] as const
  ).map(([product, from, fixedIn]) =>
    bad(product, from, fixedIn, "whoever may run scripts can take it over (CVE-2025-49844)"),
  ),
];

/** What is known against a release; null when nothing is. `oldest`: it is too old to be used at all. */
export function knownAgainst(
  product: "Redis" | "Valkey",
  text: string,
): { isTooOld: boolean; trouble: string; remedy: string } | null {
  const version = parsed(text);
  if (isBefore(version, oldest)) {
    const trouble = `${product} ${text} is too old: 7.0 or newer is needed`;
    return { isTooOld: true, trouble, remedy: "Upgrade Redis; its files can be read by newer releases." };
  }
  const found = badReleases.find(
    (release) =>
      release.product === product && !isBefore(version, release.from) && isBefore(version, release.fixedIn),
  );
  if (found === undefined) return null;
  const remedy = `Upgrade to ${product} ${nameOf(found.fixedIn)} or newer.`;
  return { isTooOld: false, trouble: `${product} ${text}: ${found.trouble}`, remedy };
}

function bad(product: BadRelease["product"], from: Version, fixedIn: Version, trouble: string): BadRelease {
  return { product, from, fixedIn, trouble };
}

function parsed(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function isBefore(a: Version, b: Version): boolean {
  return (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) < 0;
}

function nameOf(version: Version): string {
  return version.join(".");
}
