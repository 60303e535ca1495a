import type { JsonSchema } from "../../route.ts";

const text = (maxLength: number, description: string): JsonSchema => ({
  type: "string",
  contentMediaType: "text/plain",
  minLength: 1,
  maxLength,
  description,
});

/** For the document: the handler reads the body by itself, since it is judged byte for byte. */
export const callbackSchema: JsonSchema = {
  title: "GoogleCallback",
  type: "object",
  required: ["protocolVersion", "intermediateSigningKey", "signature", "signedMessage"],
  properties: {
    protocolVersion: { type: "string", const: "ECv2SigningOnly" },
    intermediateSigningKey: {
      type: "object",
      required: ["signedKey", "signatures"],
      properties: {
        signedKey: text(2048, "JSON: `keyValue` and `keyExpiration`."),
        signatures: {
          type: "array",
          minItems: 1,
          maxItems: 5,
          items: text(160, "Of the signed key, by one of Google's root keys."),
        },
      },
    },
    signature: text(160, "Of the signed message, by the intermediate key."),
    signedMessage: text(
      8192,
      "JSON: `classId`, `objectId`, `eventType` (`save` or `del`), `expTimeMillis`, `nonce`.",
    ),
  },
};
