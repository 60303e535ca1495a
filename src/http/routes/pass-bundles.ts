import { invalidRequest, PasswrightError } from "../../domain/errors.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import { pageToken as exampleToken } from "../openapi/examples/ids.ts";
import { pageTokensIn } from "../page-tokens.ts";
import { type Answer, checked, open, type Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";
import { conditionalFile, etagOf, fileHeaders, passFile, passWithFile, unchanged } from "./pass-files.ts";

/** What Wallet takes at once (https://developer.apple.com/documentation/walletpasses/distributing-and-updating-a-pass). */
const mostBytes = 150_000_000;

const pkpasses = { mediaType: "application/vnd.apple.pkpasses", name: "passes.pkpasses" };

const tokensQuery = checked<{ tokens: string }>({
  type: "object",
  required: ["tokens"],
  properties: {
    tokens: {
      type: "string",
      format: "page-tokens",
      maxLength: 4096,
      description:
        "The secret part of each pass's `page_url`, up to 10 of them with commas between. One that stands twice counts once.",
      example: exampleToken,
    },
  },
});
const bundleAnswer: Answer = {
  status: 200,
  description: "The bundle.",
  mediaTypes: [pkpasses.mediaType],
  schema: null,
  headers: fileHeaders,
};

export const bundleRoutes = [
  open({
    method: "GET",
    path: "/p/bundle.pkpasses",
    operationId: "downloadPasses",
    tag: "Public pages",
    summary: "Several passes in one file for Apple Wallet",
    description:
      "What Wallet offers to add all at once: the tickets of a family, say. At most 10 passes and 150 MB. Answers conditional requests.",
    query: tokensQuery,
    answers: [bundleAnswer, unchanged],
    errors: [
      { code: "not_found", says: "Token 2: There is no pass at this address. Leave it out." },
      { code: "gone", says: "Token 2: This pass has been revoked. Leave it out." },
    ],
    async handle({ http, query }, deps): Promise<Reply> {
      const passes: Pass[] = [];
      for (const token of pageTokensIn(query.tokens))
        passes.push(await namedPass(deps, token, passes.length + 1));
      const files = await Promise.all(passes.map((pass) => passFile(deps, pass)));
      const bundle = {
        etag: etagOf(files.map(({ etag }) => etag)),
        modifiedAtMs: Math.max(...files.map(({ modifiedAtMs }) => modifiedAtMs)),
        async build() {
          const built: { serialNumber: string; file: readonly Uint8Array[] }[] = [];
          let bytes = 0;
          // One after the other: as soon as they are too many, no further one is made.
          for (const [i, { build }] of files.entries()) {
            const file = await build();
            bytes += file.reduce((sum, piece) => sum + piece.byteLength, 0);
            if (bytes > mostBytes) throw tooLarge();
            built.push({ serialNumber: passes[i]?.id ?? "", file });
          }
          return deps.passFile.bundle(built);
        },
      };
      const reply = await conditionalFile(http, bundle, pkpasses);
      if (http.method === "GET") for (const pass of passes) deps.views.viewed(pass);
      return reply;
    },
  }),
];

/** Tokens are secrets, so a fault names the place where one stands. */
async function namedPass(deps: ServingDeps, token: string, place: number): Promise<Pass> {
  try {
    return await passWithFile(deps, token);
  } catch (error) {
    if (!(error instanceof PasswrightError) || error.kind === "unavailable") throw error;
    throw new PasswrightError(error.code, `Token ${place}: ${error.detail} Leave it out.`);
  }
}

function tooLarge(): PasswrightError {
  const message = `names passes of more than ${mostBytes / 1_000_000} MB together: ask for fewer in one bundle`;
  return invalidRequest([{ path: "tokens", message }]);
}
