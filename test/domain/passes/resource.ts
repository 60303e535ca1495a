import t from "tap";
import { passResource } from "../../../src/domain/passes/resource.ts";
import { examplePass, instant } from "../fixtures/examples.ts";

t.test("a pass is shown with the documented members, those of the contract, and no others", async (t) => {
  t.strictSame(passResource(examplePass, "https://p.example"), {
    id: examplePass.id,
    status: "partial",
    external_ref: "customer-1",
    template_id: examplePass.templateId,
    intent: "loyalty_card",
    data: { member: "Ada" },
    providers: {
      apple: {
        status: "completed",
        save_link: "https://p.example/p/t/pass.pkpass",
        updated_at: instant,
      },
      google: {
        status: "failed",
        error: { error: "provider_rejected", error_description: "Google refused the object." },
        updated_at: "2026-11-21T06:43:46.626Z",
      },
    },
    job_id: examplePass.jobId,
    version: 2,
    page_url: "https://p.example/p/AAECAwQFBgcICQoLDA0ODxA",
    created_at: instant,
    updated_at: "2026-11-21T06:43:47.625Z",
  });
});

t.test("nothing that only the wallet or the owner may know is shown", async (t) => {
  const text = JSON.stringify(passResource(examplePass, "https://p.example"));
  t.notMatch(text, /an-authentication-token/);
  t.notMatch(text, /templateVersion|template_version|tenant/);
});

t.test("an address below a path prefix keeps it", async (t) => {
  t.match(
    passResource(examplePass, "https://e.example/wallet").page_url,
    /^https:\/\/e\.example\/wallet\/p\//,
  );
});

t.test("an entry says so where only test accounts can save the pass", async (t) => {
  const entry = {
    status: "completed",
    saveLink: "https://g.example/s",
    error: null,
    updatedAtMs: 0,
  } as const;
  const shown = (testOnly: object) =>
    passResource({ ...examplePass, providers: { google: { ...entry, ...testOnly } } }, "https://p.example");
  t.match(shown({ testOnly: true }).providers.google, { test_only: true });
  t.notOk("test_only" in (shown({}).providers.google ?? {}));
});
