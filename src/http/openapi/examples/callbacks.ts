import { ids } from "./ids.ts";

/** As Google sends it: the texts within are signed as they are. */
export const savedCallback = {
  protocolVersion: "ECv2SigningOnly",
  intermediateSigningKey: {
    signedKey: JSON.stringify({
      keyValue:
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvMnOfWJ9s4cO3zBYWTLqxLwZ2vGYJ0m2QnGZ1uJmM0XkD8pKQyqf0b9f5cTjU6sE2vJ8wHnLrB4aTgYxNqVdRw==",
      keyExpiration: "1796000000000",
    }),
    signatures: [
      "MEUCIQDk0mYw0y7v5cQq0c3JrVb2oQn6ZtH1xWmS8dKfLpUeXAIgW5rTzNvGhYjQ2aBcDeFgHiJkLmNoPqRsTuVwXyZ0123=",
    ],
  },
  signature:
    "MEYCIQDx7u9cQwErTyUiOpAsDfGhJkLzXcVbNm1234567890qAIhAJf3kLmNoPqRsTuVwXyZ0123456789abcdefghijklmnopqr",
  signedMessage: JSON.stringify({
    classId: `3388000000012345678.${ids.template}`,
    objectId: `3388000000012345678.${ids.pass}`,
    eventType: "save",
    expTimeMillis: 1795243426625,
    count: 1,
    nonce: "5f1d0c7e-3b0a-4c52-9f6e-2d9b7a1c8e40",
  }),
};
