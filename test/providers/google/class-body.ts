import t from "tap";
import { passKind } from "../../../src/domain/templates/parsing/google/pass-kind.ts";
import type { TemplateContent, TemplateType } from "../../../src/domain/templates/template.ts";
import { patchedFromNothing } from "../../../src/providers/google/author-part.ts";
import { classBody } from "../../../src/providers/google/class-body.ts";
import { createTemplateImages } from "../../../src/providers/google/template-images.ts";
import { readGoogleTypes, unknownMembers } from "../../support/google-types.ts";
import { sampleTemplate, templateId } from "./fixtures/sample-pass.ts";

const googleTypes = readGoogleTypes();
const imagesOf = createTemplateImages(
  (_owner, sha256) => `https://passes.example.com/images/${sha256.slice(0, 4)}.png`,
);
const localized = (value: string) => ({ defaultValue: { language: "en-US", value } });
// sha256sum of «bytes of icon@2x.png», «bytes of logo.png» and «bytes of strip.png», from coreutils.
const image = (sha: string) => ({
  sourceUri: { uri: `https://passes.example.com/images/${sha}.png` },
  contentDescription: localized("Baconrista"),
});
const logo = image("33d0");
const wideLogo = image("ead2");
const heroImage = image("8350");
const id = `3388.${templateId}`;
const common = {
  id,
  reviewStatus: "UNDER_REVIEW",
  issuerName: "Baconrista",
  hexBackgroundColor: "#1e40af",
  heroImage,
};

function body(type: TemplateType, content: Partial<TemplateContent> = {}, callbackUrl?: string) {
  const template = sampleTemplate(type, content);
  const kind = passKind(type, template.version.content);
  const patch = classBody({
    id,
    kind,
    version: template.version,
    images: imagesOf(template),
    translations: new Map(),
    ...(callbackUrl !== undefined && { callbackUrl }),
  });
  const sent = patchedFromNothing(patch);
  t.strictSame(
    unknownMembers(googleTypes, `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Class`, sent),
    [],
    kind,
  );
  return sent;
}

const flight = {
  flightHeader: { carrier: { carrierIataCode: "LX" }, flightNumber: "123" },
  origin: { airportIataCode: "ZRH" },
  destination: { airportIataCode: "SFO" },
  localScheduledDepartureDateTime: "2027-07-02T15:30:00",
};

t.test("a loyalty card is a loyalty class", async (t) => {
  t.strictSame(body("LoyaltyCard"), {
    ...common,
    programName: "Bacon Club",
    programLogo: logo,
    wideProgramLogo: wideLogo,
  });
});

t.test("a coupon is an offer class", async (t) => {
  t.strictSame(body("Coupon"), {
    ...common,
    title: "Baconrista card",
    provider: "Baconrista",
    redemptionChannel: "BOTH",
    titleImage: logo,
    wideTitleImage: wideLogo,
  });
});

t.test("an event ticket is an event ticket class", async (t) => {
  t.strictSame(body("EventTicket"), { ...common, eventName: localized("Bacon Club"), logo, wideLogo });
});

t.test("a boarding pass with a flight header is a flight class", async (t) => {
  t.strictSame(body("BoardingPass", { google: { class: flight } }), {
    ...common,
    ...flight,
    flightHeader: {
      carrier: {
        airlineName: localized("Baconrista"),
        airlineLogo: logo,
        wideAirlineLogo: wideLogo,
        carrierIataCode: "LX",
      },
      flightNumber: "123",
    },
  });
});

t.test("any other boarding pass is a transit class", async (t) => {
  const transit = { ...common, transitOperatorName: localized("Baconrista"), logo, wideLogo };
  t.strictSame(body("BoardingPass"), { ...transit, transitType: "OTHER" });
  const google = { class: { transitType: "RAIL" } };
  t.strictSame(body("BoardingPass", { google }), { ...transit, transitType: "RAIL" });
});

t.test("a gift card is a gift card class", async (t) => {
  const card = { ...common, merchantName: "Baconrista", programLogo: logo, wideProgramLogo: wideLogo };
  t.strictSame(body("GiftCard"), { ...card, cardNumberLabel: "Points" });
  const google = { object: { cardNumber: "{{code}}" } };
  t.strictSame(body("GiftCard", { google }), card, "the label of another field would mislead");
});

t.test("memberships and generic passes are generic classes with rows on their front", async (t) => {
  const item = (key: string) => ({
    item: { firstValue: { fields: [{ fieldPath: `object.textModulesData['${key}']` }] } },
  });
  for (const type of ["MembershipCard", "Generic"] as const) {
    t.strictSame(body(type), {
      id,
      classTemplateInfo: {
        cardTemplateOverride: {
          cardRowTemplateInfos: [
            { oneItem: item("tier") },
            { oneItem: item("member_name") },
            { oneItem: item("note") },
          ],
        },
      },
    });
  }
});

t.test(
  "the author's members win, deep, with the fields' defaults for tokens; id and review status do not",
  async (t) => {
    const sent = body("LoyaltyCard", {
      google: {
        class: {
          id: "1.x",
          reviewStatus: "DRAFT",
          programName: "{{tier}} of {{member.name}}{{points}}{{code}}",
          programLogo: { sourceUri: { uri: "https://cdn.example.com/logo.png" } },
          heroImage: null,
          countryCode: "CH",
        },
      },
    });
    t.match(sent, { ...common, heroImage: undefined, programName: "Gold of nobody", countryCode: "CH" });
    t.strictSame(sent.programLogo, { ...logo, sourceUri: { uri: "https://cdn.example.com/logo.png" } });
    t.notOk("heroImage" in sent);
  },
);

t.test("the call-back address goes along when there is one", async (t) => {
  const url = "https://passes.example.com/google/t1/callback";
  t.strictSame(body("Generic", {}, url).callbackOptions, { url });
  t.notOk("callbackOptions" in body("Generic"));
});

t.test("what Google requires and the template does not say is named before anything is sent", async (t) => {
  const bare = sampleTemplate("LoyaltyCard", {}, { images: new Map() });
  const input = { id, version: bare.version, images: {}, translations: new Map() };
  t.throws(() => classBody({ ...input, kind: "loyalty" }), {
    code: "provider_rejected",
    detail: /loyalty class needs programLogo/,
  });
  t.throws(() => classBody({ ...input, kind: "transit" }), {
    code: "provider_rejected",
    detail: /needs logo/,
  });
  t.throws(() => body("BoardingPass", { google: { class: { ...flight, origin: { gate: "B" } } } }), {
    code: "provider_rejected",
    detail: /flight class needs origin.airportIataCode:/,
  });
});
