import t from "tap";
import { urlViolations } from "../../../src/domain/webhooks/target-url.ts";

/** What the policy says of every address; the addresses that it was asked about. */
function policy(verdict: string | null = null) {
  const asked: string[] = [];
  const refusal = async (url: URL) => {
    asked.push(url.href);
    return verdict;
  };
  return { asked, webhookTargets: { refusal } };
}

async function complaint(text: string, verdict: string | null = null): Promise<string | undefined> {
  const violations = await urlViolations(policy(verdict).webhookTargets, text);
  t.ok(violations.every(({ path }) => path === "/url"));
  return violations[0]?.message;
}

t.test("an https address is taken as it is", async (t) => {
  for (const text of [
    "https://hooks.example.com",
    "HTTPS://Hooks.Example.COM:8443/a/b;c?d=e&f=%20@g",
    "https://hooks.example.com/@me",
    "https://hooks.example.com/?to=a@b",
    "https://bücher.example/häh?ü",
    "https://xn--bcher-kva.example/",
  ]) {
    t.equal(await complaint(text), undefined, text);
  }
});

// biome-ignore format: read as a table
const faults: readonly [text: string, expected: RegExp][] = [
  ["http://hooks.example.com/",              /must begin with https/],
  ["ftp://hooks.example.com/",               /must begin with https/],
  ["file:///etc/passwd",                     /must begin with https/],
  ["gopher://hooks.example.com/",            /must begin with https/],
  ["data:text/plain,x",                      /must begin with https/],
  ["javascript:alert(1)",                    /must begin with https/],
  ["//hooks.example.com/",                   /must begin with https/],
  ["hooks.example.com",                      /must begin with https/],
  ["https:hooks.example.com",                /must begin with https/],
  ["https:/hooks.example.com",               /must begin with https/],
  ["https:\\\\hooks.example.com",            /must begin with https/],
  ["https://",                               /must be an absolute URL/],
  ["https:///hooks.example.com/",            /must be an absolute URL/],
  ["https://?x",                             /must be an absolute URL/],
  ["https://a b/",                           /white space/],
  ["https://hooks.example.com:99999/",       /must be an absolute URL/],
  ["https://hooks.example.com:x/",           /must be an absolute URL/],
  ["https://[::1",                           /must be an absolute URL/],
  ["https://[fe80::1%25eth0]/",              /must be an absolute URL/],
  ["https://user@hooks.example.com/",        /user name/],
  ["https://user:password@hooks.example.com/", /user name/],
  ["https://@hooks.example.com/",            /user name/],
  ["https://:@hooks.example.com/",           /user name/],
  ["https://hooks.example.com@10.0.0.1/",    /user name/],
  ["https://hooks.example.com/#",            /fragment/],
  ["https://hooks.example.com/a#b",          /fragment/],
  [" https://hooks.example.com/",            /white space/],
  ["https://hooks.example.com/\n",           /white space/],
  ["https://hooks.exa\tmple.com/",           /white space/],
  ["https://hooks.example.com/\u0000",       /white space/],
  ["https://hooks.example.com/a b",          /white space/],
];

for (const [text, expected] of faults) {
  t.test(`${JSON.stringify(text)} is refused`, async (t) => {
    t.match(await complaint(text), expected);
  });
}

t.test(
  "the policy is asked about the host that would be called, not the one that a reader sees",
  async (t) => {
    const { asked, webhookTargets } = policy();
    await urlViolations(webhookTargets, "https://example.com\\@127.0.0.1/");
    t.strictSame(asked, ["https://example.com/@127.0.0.1/"]);
    t.equal(await complaint("https://hooks.example.com/", "leads to 10.0.0.1"), "leads to 10.0.0.1");
  },
);

t.test("an address of the wrong shape is refused before anybody is asked", async (t) => {
  const { asked, webhookTargets } = policy();
  t.equal((await urlViolations(webhookTargets, "https://a@b.example/")).length, 1);
  t.strictSame(asked, []);
});
