import { ids, instants, pageOf } from "./ids.ts";

const item = {
  id: ids.template,
  tenant_id: ids.tenant,
  name: "Coffee card",
  template_type: "LoyaltyCard",
  intent: "loyalty_card",
  status: "active",
  latest_version: 3,
  is_system_template: false,
  created_at: instants.templateMade,
};

export const templateList = pageOf(item, {
  ...item,
  id: ids.systemTemplate,
  tenant_id: null,
  name: "Loyalty card",
  latest_version: 1,
  is_system_template: true,
});

export const templateDetail = {
  ...item,
  description: "Points and a tier, for a coffee roaster.",
  providers: ["apple", "google"],
};

export const templateSnapshot = {
  template_id: ids.template,
  version: 3,
  created_at: instants.templateMade,
  fields: [
    {
      key: "points",
      label: "Points",
      kind: "Placeholder",
      default: "0",
      max_length: 32,
      change_message: "You now have %@ points.",
    },
    { key: "member", label: "Member", kind: "Placeholder", required: true, max_length: 64 },
    { key: "number", label: "Member number", kind: "Computed", source: "external_ref" },
    { key: "terms", label: "Terms", kind: "Static", default: "Points expire after a year." },
  ],
  header: {
    organization_name: "Acme Coffee",
    description: "Acme Coffee loyalty card",
    logo_text: "Acme Coffee",
    background_color: "#3b2416",
    foreground_color: "#ffffff",
    label_color: "#e8c9a0",
    images: ["icon.png", "icon@2x.png", "logo.png"],
  },
  body: {
    header: ["points"],
    primary: ["member"],
    secondary: ["number"],
    auxiliary: [],
    back: ["terms"],
  },
  barcode: { format: "qr", message: "{{number}}", alt_text: "{{number}}" },
  apple: { sharingProhibited: true },
};

export const samplePass = {
  template_id: ids.template,
  intent: "loyalty_card",
  external_ref: "{{external_ref}}",
  data: { points: "{{points}}", member: "{{member}}", terms: "Points expire after a year." },
};
