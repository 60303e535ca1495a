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

export type CreatePassBody = {
  template_id: string;
  intent: string;
  external_ref: string;
  data: Record<string, string>;
};

export const createPassSchema = {
  type: "object",
  additionalProperties: false,
  required: ["template_id", "intent", "external_ref", "data"],
  properties: {
    template_id: { type: "string", format: "uuid" },
    intent: { type: "string", minLength: 1, maxLength: 64 },
    external_ref: externalRefSchema,
    data: { ...dataSchema, additionalProperties: { type: "string", maxLength: 4096 } },
  },
};

export type PassDataBody = Record<string, string | null>;

/** What is merged into a pass's data; null removes a key. */
export const passDataPatchSchema = {
  ...dataSchema,
  additionalProperties: { type: ["string", "null"], maxLength: 4096 },
};
