// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

export const version = "0.1.0";
