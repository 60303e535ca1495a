import { passStatuses } from "../../../domain/passes/pass.ts";
import { intents } from "../../../domain/templates/template.ts";
import { externalRefSchema, passDataSchema } from "../../pass-schemas.ts";
import { failureSchema } from "./error.ts";
import { choice, described, instant, integer, listOf, record, uri, uuid } from "./scalars.ts";

const providerSchema = record(
  "PassProvider",
  {
    status: choice(["queued", "processing", "completed", "failed", "revoked"]),
    save_link: described("Adds the pass to the wallet. There as soon as the wallet has the pass.", uri),
    test_only: described(
      "`true` while Google's issuer is in demo mode: only its test accounts can save the pass. Otherwise it is not there.",
      { type: "boolean", const: true },
    ),
    error: described("Why the wallet did not take the pass, or its latest data.", failureSchema),
    updated_at: instant,
  },
  { optional: ["save_link", "test_only", "error"] },
);

export const passSchema = record("PassResponse", {
  id: uuid,
  status: described(
    "`pending`: no wallet has it yet. `partial`: some have. `active`: all have. `updating`, `revoking`: on the way. `revoked`: void everywhere. `failed`: no wallet took it.",
    choice(passStatuses),
  ),
  external_ref: described("The caller's own reference, unique within the tenant.", externalRefSchema),
  template_id: uuid,
  intent: choice(Object.values(intents)),
  data: described("The values as they were given, without the template's defaults.", passDataSchema),
  providers: {
    type: "object",
    description: "One entry for each wallet that the pass is made for.",
    properties: { apple: providerSchema, google: providerSchema },
  },
  job_id: described("The job of the latest accepted operation.", uuid),
  version: described("1 at first; each update adds one.", integer(1, 2_147_483_647)),
  page_url: described("The public page of the pass, which offers the wallets.", uri),
  created_at: instant,
  updated_at: instant,
});

export const passListSchema = listOf("PassListResponse", passSchema);

export const passVersionListSchema = listOf(
  "PassVersionListResponse",
  record("PassVersion", {
    version: integer(1, 2_147_483_647),
    change: choice(["created", "updated"]),
    data: described("The whole data of that version.", passDataSchema),
    job_id: uuid,
    created_at: instant,
  }),
);
