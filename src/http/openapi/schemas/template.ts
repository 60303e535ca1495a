import {
  barcodeFormats,
  computedSources,
  intents,
  templateTypes,
  walletKeys,
} from "../../../domain/templates/template.ts";
import { orNull } from "./job.ts";
import {
  boolean,
  choice,
  described,
  instant,
  integer,
  listOf,
  record,
  text,
  textOrNull,
  uuid,
} from "./scalars.ts";

const version = integer(1, 2_147_483_647);

const itemMembers = {
  id: uuid,
  tenant_id: described("null: a system template, which every tenant sees.", {
    type: ["string", "null"],
    format: "uuid",
  }),
  name: text(100),
  template_type: choice(templateTypes),
  intent: choice(Object.values(intents)),
  status: choice(["active", "archived"]),
  latest_version: version,
  is_system_template: boolean,
  created_at: instant,
};

export const templateListSchema = listOf("TemplateListResponse", record("TemplateItem", itemMembers));

export const templateSchema = record("TemplateResponse", {
  ...itemMembers,
  description: textOrNull(500),
  providers: {
    type: "array",
    maxItems: walletKeys.length,
    description: "The wallets that its passes can be made for.",
    items: choice(walletKeys),
  },
});

const fieldKey = { type: "string", pattern: "^[A-Za-z0-9_.-]{1,64}$", maxLength: 64 };
const colour = { type: "string", pattern: "^#[0-9a-f]{6}$", maxLength: 7 };
const fieldKeys = { type: "array", maxItems: 1000, items: fieldKey };
const vendorMembers = (wallet: string) => ({
  type: "object",
  description: `Merged into what goes to ${wallet}; unknown members are kept.`,
});

const fieldSchema = record(
  "TemplateField",
  {
    key: fieldKey,
    label: text(200),
    kind: described(
      "`Static`: comes with a default. `Placeholder`: to be given, unless it has a default. `Computed`: filled in by the service, must not be given.",
      choice(["Static", "Placeholder", "Computed"]),
    ),
    default: text(4096),
    required: boolean,
    max_length: described("In Unicode code points.", integer(1)),
    source: described("What a Computed field shows.", choice(computedSources)),
    change_message: described(
      "What the wallet says when the value changes; `%@` is the new value.",
      text(200),
    ),
  },
  { optional: ["default", "required", "max_length", "source", "change_message"] },
);

const headerSchema = record(
  "TemplateHeader",
  {
    organization_name: text(100),
    description: text(200),
    logo_text: text(100),
    page_text: described("The issuer's words on the public page, beside the pass.", text(500)),
    background_color: colour,
    foreground_color: colour,
    label_color: colour,
    images: { type: "array", maxItems: 1000, description: "By file name.", items: text(100) },
  },
  { optional: ["logo_text", "page_text"] },
);

const barcodeSchema = record(
  "TemplateBarcode",
  {
    format: choice(barcodeFormats),
    message: described("`{{key}}` stands for the value of a field.", text(4096)),
    alt_text: text(4096),
  },
  { optional: ["alt_text"] },
);

export const templateSnapshotSchema = record(
  "TemplateVersionResponse",
  {
    template_id: uuid,
    version,
    created_at: instant,
    fields: { type: "array", maxItems: 1000, items: fieldSchema },
    header: headerSchema,
    body: record("TemplateBody", {
      header: fieldKeys,
      primary: fieldKeys,
      secondary: fieldKeys,
      auxiliary: fieldKeys,
      back: fieldKeys,
    }),
    barcode: orNull(barcodeSchema),
    apple: vendorMembers("Apple Wallet's pass.json"),
    google: vendorMembers("Google Wallet's class and object"),
  },
  { optional: ["apple", "google"] },
);
