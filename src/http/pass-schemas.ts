/** Neither C0 nor C1 controls. */
export const externalRefSchema = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
};

const dataSchema = {
  type: "object",
  maxProperties: 100,
  propertyNames: { pattern: "^[A-Za-z0-9_.-]{1,64}$" },
};

/** Values by the keys of the template's fields. */
export const passDataSchema = {
  title: "PassData",
  ...dataSchema,
  additionalProperties: { type: "string", maxLength: 4096, contentMediaType: "text/plain" },
};

export type CreatePassBody = {
  template_id: string;
  intent: string;
  external_ref: string;
  data: Record<string, string>;
};

export const createPassSchema = {
  title: "PassCreateRequest",
  type: "object",
  additionalProperties: false,
  required: ["template_id", "intent", "external_ref", "data"],
  properties: {
    template_id: {
      type: "string",
      format: "uuid",
      description: "An active template of the tenant or of the system.",
    },
    intent: {
      type: "string",
      minLength: 1,
      maxLength: 64,
      contentMediaType: "text/plain",
      description: "The `intent` that the template shows: its type in snake_case.",
    },
    external_ref: {
      ...externalRefSchema,
      description: "Your own reference to the pass, unique within the tenant.",
    },
    data: {
      ...passDataSchema,
      description: "Values for the template's Static and Placeholder fields. Numbers are sent as strings.",
    },
  },
};

export type PassDataBody = Record<string, string | null>;

/** What is merged into a pass's data; null removes a key. */
export const passDataPatchSchema = {
  title: "PassDataPatch",
  description: "Merged into the data key by key; null removes a key.",
  ...dataSchema,
  additionalProperties: { type: ["string", "null"], maxLength: 4096, contentMediaType: "text/plain" },
};
