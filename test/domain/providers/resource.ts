import t from "tap";
import { providerResource } from "../../../src/domain/providers/resource.ts";
import { instant, instantMs, tenantId } from "../fixtures/examples.ts";

t.test(
  "a provider configuration is shown with what identifies its credentials, and nothing of them",
  async (t) => {
    const configuration = {
      tenantId,
      wallet: "google" as const,
      enabled: true,
      sandbox: false,
      summary: { issuer_id: "3388", client_email: "a@b.example" },
      updatedAtMs: instantMs,
    };
    t.strictSame(providerResource(configuration), {
      wallet: "google",
      enabled: true,
      sandbox: false,
      issuer_id: "3388",
      client_email: "a@b.example",
      demo_mode: false,
      updated_at: instant,
    });
  },
);
