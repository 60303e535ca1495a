import t from "tap";
import { openCommands } from "../../support/command.ts";
import { couponDirectory } from "./fixtures/coupon.ts";

const run = openCommands(t);
const root = t.testdir();
const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";
const { id: tenant } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
const own = ["--tenant", tenant];
const card = (changes: object = {}) => couponDirectory(root, changes);

const system = (await run("templates import", [card(), "--system", "--json"])).json;
await run("templates import", [card(), ...own]);
await run("templates import", [card({ name: "Soon" }), ...own, "--draft"]);

t.test(
  "a list shows the tenant's own and the system's, newest first, for people and for scripts",
  async (t) => {
    const { json } = await run("templates list", [...own, "--json"]);
    const ids: string[] = json.map((template: { id: string }) => template.id);
    t.equal(ids.length, 3);
    t.strictSame(ids, [...ids].sort().reverse());
    t.match(json[0], { name: "Soon", status: "draft", latest_version: 0, draft: { version: 1 } });
    const { code, stdout } = await run("templates list", own);
    t.equal(code, 0);
    t.match(stdout, /^ID +NAME +TYPE +VERSION +DRAFT +STATUS +OWNER$/m);
    t.match(stdout, /Soon +Coupon +- +1 +draft +own$/m);
    t.match(stdout, /Card +Coupon +1 +- +active +system$/m);
  },
);

/** What a coupon's apple part says is for coupons. */
const giftCard = { template_type: "GiftCard", apple: {} };

// biome-ignore format: read as a table
const endings: [verb: string, args: string[], code: number, said: RegExp][] = [
  ["show",    [nobody, ...own],                              4, /There is no template 0199d1c5/],
  ["archive", [nobody, ...own],                              4, /There is no template 0199d1c5/],
  ["publish", [system.id, ...own],                           4, /that is a system template/],
  ["import",  [card()],                                      2, /--tenant ID is needed, or --system/],
  ["import",  [card(giftCard), ...own],                      1, /«Card» exists with the type Coupon/],
  ["show",    [system.id, ...own],                           0, /^$/],
];

t.test(
  "what a tenant does not have ends with 4, what is asked wrongly with 2, what cannot be with 1",
  async (t) => {
    const check = async ([verb, args, code, said]: (typeof endings)[number]): Promise<void> => {
      const ended = await run(`templates ${verb}`, args);
      t.equal(ended.code, code, `${verb} ${args.join(" ")}`);
      t.match(ended.stderr, said);
    };
    // Two at a time: each is a process of its own.
    for (let i = 0; i < endings.length; i += 2) await Promise.all(endings.slice(i, i + 2).map(check));
  },
);
