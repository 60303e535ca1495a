import t from "tap";
import type { GoogleCredentials, PassToIssue } from "../../../src/domain/providers/provider.ts";
import type { TemplateContent, TemplateType } from "../../../src/domain/templates/template.ts";
import { templateTypes } from "../../../src/domain/templates/template.ts";
import { checkGoogleCredentials } from "../../../src/providers/google/check-credentials.ts";
import { createGoogleProvider } from "../../../src/providers/google/provider.ts";
import { sampleJob, samplePass, sampleTemplate } from "./fixtures/sample-pass.ts";
import { startGoogleSandbox } from "./fixtures/sandbox-issuer.ts";

const clock = { nowMs: Date.now };
const never = new AbortController().signal;
const flight = {
  flightHeader: { carrier: { carrierIataCode: "LX" }, flightNumber: "{{number}}" },
  origin: { airportIataCode: "ZRH" },
  destination: { airportIataCode: "SFO" },
  localScheduledDepartureDateTime: "2027-07-02T15:30:00",
};

const sandbox = await startGoogleSandbox(t);
const provider = createGoogleProvider({
  clock,
  imageUrl: (owner, sha256) => `https://passes.example.com/images/${owner ?? "system"}/${sha256}.png`,
  callbackUrl: (tenantId) => `https://passes.example.com/google/${tenantId}/callback`,
});
t.teardown(() => provider.close());

/** A service account and an issuer of its own. */
async function start() {
  const { credentials, state } = await sandbox.openIssuer();
  return {
    credentials,
    issue: (job: Partial<PassToIssue> = {}, by: GoogleCredentials = credentials) =>
      provider.issue(sampleJob(job), by, never),
    state,
  };
}

const variants: [TemplateType, Partial<TemplateContent>][] = [
  ...templateTypes.map((type): [TemplateType, Partial<TemplateContent>] => [type, {}]),
  [
    "BoardingPass",
    {
      google: { class: flight },
      fields: [
        ...sampleTemplate().version.content.fields,
        { key: "number", label: "", kind: "Static", default: "12" },
      ],
    },
  ],
];

for (const [type, content] of variants) {
  const kind = content.google === undefined ? type : `${type} with a flight`;
  t.test(`a strict Google takes a ${kind}: new, updated by a sparser version, and voided`, async (t) => {
    const { issue, state } = await start();
    const template = sampleTemplate(type, content);
    const { saveLink } = await issue({ template });
    const before = await state();
    t.equal(before.classes.length, 1);
    t.match(before.objects[0]?.resource, { state: "ACTIVE", barcode: { value: "B-customer-42" } });

    const sparse = {
      ...content,
      barcode: null,
      body: { ...template.version.content.body, secondary: [], auxiliary: [] },
    };
    const images = new Map([["icon.png", Buffer.from("icon")]]);
    const second = sampleTemplate(type, sparse, { version: 2, images });
    const pass = samplePass({ version: 2, data: { points: "" } });
    t.strictSame(await issue({ template: second, pass, voided: true }), { saveLink });
    const after = await state();
    t.equal(after.classes.length + after.objects.length, 2);
    t.match(after.objects[0]?.resource, { state: "EXPIRED" });
    const left = JSON.stringify(after);
    t.notMatch(left, "B-customer-42", "the barcode is gone");
    t.notMatch(left, "1250", "the value that was emptied is gone");
    t.notMatch(left, "ideLogo", "and so is the image of the first version");
  });
}

t.test("credentials of the sandbox pass the check, and another issuer's fail it", async (t) => {
  const { credentials, issue } = await start();
  await checkGoogleCredentials({ clock }, credentials, never);
  const foreign = { ...credentials, issuerId: "3388000000099999999" };
  const denied = { code: "provider_credentials_invalid", detail: /Permission denied/ };
  await t.rejects(checkGoogleCredentials({ clock }, foreign, never), denied);
  await t.rejects(issue({}, foreign), denied);
});

t.test("what a version of the template does not say any more is gone from class and object", async (t) => {
  const { issue, state } = await start();
  const google = { class: { countryCode: "CH" }, object: { accountId: "{{code}}" } };
  await issue({ template: sampleTemplate("LoyaltyCard", { google }) });
  const look = async () => {
    const { classes, objects } = await state();
    return { country: classes[0]?.resource.countryCode, account: objects[0]?.resource.accountId };
  };
  t.strictSame(await look(), { country: "CH", account: "customer-42" });
  await issue({
    template: sampleTemplate("LoyaltyCard", {}, { version: 2 }),
    pass: samplePass({ version: 2 }),
  });
  t.strictSame(await look(), { country: undefined, account: undefined });
});

t.test("what a strict Google refuses is said in its words", async (t) => {
  const { issue } = await start();
  const both = { fareClass: "FIRST", customFareClass: { defaultValue: { language: "en", value: "First" } } };
  const ticketLeg = { originStationCode: "BN", ticketSeat: both };
  const template = sampleTemplate("BoardingPass", { google: { object: { ticketLeg } } });
  await t.rejects(issue({ template }), {
    code: "provider_rejected",
    detail: /may not have both fareClass and customFareClass/,
  });
});

t.test("a broadcast reaches the tenant's own passes, also where tenants share an issuer", async (t) => {
  const { issue, credentials, state } = await start();
  const [one, two] = [samplePass({ id: "one" }), samplePass({ id: "two", tenantId: crypto.randomUUID() })];
  for (const pass of [one, two]) await issue({ pass });
  const message = { id: "m", header: "To all", body: "of one tenant", passId: null };
  await provider.showMessage?.(
    { ...message, tenantId: two.tenantId, template: sampleTemplate() },
    credentials,
    never,
  );
  const { classes, objects } = await state();
  const classOf = (pass: typeof one) =>
    objects.find(({ id }) => id.endsWith(`.${pass.id}`))?.resource.classId;
  const told = classes.filter(({ resource }) => JSON.stringify(resource).includes("of one tenant"));
  t.strictSame(
    told.map(({ id }) => id),
    [classOf(two)],
  );
  t.not(classOf(one), classOf(two));
});

t.test("a tenant's own template has one class, whose id says nothing else", async (t) => {
  const { issue, credentials, state } = await start();
  const { tenantId } = samplePass();
  const template = sampleTemplate();
  await issue({ template: { ...template, template: { ...template.template, tenantId } } });
  t.strictSame(
    (await state()).classes.map(({ id }) => id),
    [`${credentials.issuerId}.${template.template.id}`],
  );
});
