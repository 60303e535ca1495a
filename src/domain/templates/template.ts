import type { Page, PageRequest } from "../page.ts";

/** Template types and the intent that a pass of each must name: the snake_case of the type. */
export const intents = {
  LoyaltyCard: "loyalty_card",
  EventTicket: "event_ticket",
  Coupon: "coupon",
  BoardingPass: "boarding_pass",
  GiftCard: "gift_card",
  MembershipCard: "membership_card",
  Generic: "generic",
} as const;

export type TemplateType = keyof typeof intents;
export type Intent = (typeof intents)[TemplateType];

export const templateTypes = Object.keys(intents) as TemplateType[];

/** The wallets that passes are made for. */
export const walletKeys = ["apple", "google"] as const;
export type WalletKey = (typeof walletKeys)[number];

export type FieldKind = "Static" | "Placeholder" | "Computed";
export const computedSources = ["pass_id", "external_ref", "version", "issued_at", "updated_at"] as const;
export type ComputedSource = (typeof computedSources)[number];

/** One field of a template. The member names are those of template.json and of the API's snapshot. */
export type TemplateField = {
  /** `[A-Za-z0-9_.-]{1,64}`, unique in the template. */
  key: string;
  label: string;
  kind: FieldKind;
  default?: string;
  /** A Placeholder without default is required in any case. */
  required?: boolean;
  /** In Unicode code points. */
  max_length?: number;
  /** Where a Computed field takes its value from. */
  source?: ComputedSource;
  /** Shown by the wallet when the value changes; `%@` stands for the new value. */
  change_message?: string;
};

export type TemplateHeader = {
  organization_name: string;
  description: string;
  logo_text?: string;
  /** The issuer's words on the public page, beside the pass. */
  page_text?: string;
  /** `#rrggbb`, as are the other two colours. */
  background_color: string;
  foreground_color: string;
  label_color: string;
  /** File names under `images/`, such as `icon@2x.png` or `it.lproj/logo.png`. */
  images: string[];
};

export const bodyGroups = ["header", "primary", "secondary", "auxiliary", "back"] as const;
export type BodyGroup = (typeof bodyGroups)[number];
/** Which field stands in which group, in order, by key. */
export type TemplateBody = Record<BodyGroup, string[]>;

export const barcodeFormats = ["qr", "pdf417", "aztec", "code128"] as const;
export type BarcodeFormat = (typeof barcodeFormats)[number];
/** `message` and `alt_text` may hold `{{key}}` tokens of the template's fields. */
export type TemplateBarcode = { format: BarcodeFormat; message: string; alt_text?: string };

/** What an author writes and a version freezes. `apple` and `google` are merged into what goes to that wallet, unknown members kept. */
export type TemplateContent = {
  fields: TemplateField[];
  header: TemplateHeader;
  body: TemplateBody;
  barcode: TemplateBarcode | null;
  apple?: Record<string, unknown>;
  google?: Record<string, unknown>;
};

export type TemplateStatus = "active" | "archived";

export type Template = {
  id: string;
  /** null: a system template, visible to every tenant. */
  tenantId: string | null;
  name: string;
  type: TemplateType;
  description: string | null;
  /** The wallets that its passes can be made for. */
  providers: WalletKey[];
  status: TemplateStatus;
  /** 0 as long as there is only a draft; such a template is an operator's to see, and nobody else's. */
  latestVersion: number;
  createdAtMs: number;
};

/** A frozen version: never changes once published, so it may be cached for ever. */
export type TemplateVersion = {
  templateId: string;
  version: number;
  createdAtMs: number;
  content: TemplateContent;
};

/** Everything that drawing a pass needs, images included (name as in `header.images`, or `hero.png`, to the file's bytes). */
export type RenderableTemplate = {
  template: Template;
  version: TemplateVersion;
  images: ReadonlyMap<string, Uint8Array>;
};

export type TemplateFilter = { type?: TemplateType; status?: TemplateStatus };

/** What issuing and reading need of templates: whatever is published, and no drafts. */
export type TemplateStore = {
  /** The tenant's own template or a system one, of that id. */
  find(tenantId: string | null, templateId: string): Promise<Template | null>;
  /** A published version with its images. */
  renderable(template: Template, version: number): Promise<RenderableTemplate | null>;
  /** The tenant's own and all system templates, newest first; with null only the system ones. */
  list(tenantId: string | null, filter: TemplateFilter, page: PageRequest): Promise<Page<Template>>;
  /** The bytes of an image by their SHA-256 (hex); `owner` is a tenant's id, or null for the system. */
  image(owner: string | null, sha256: string): Promise<Uint8Array | null>;
};
