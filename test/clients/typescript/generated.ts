import t from "tap";
import { refusal, startService } from "./fixtures/service.ts";

// That the two mistakes do not compile is what the compiler checks here: an expected error that is none is one.

t.test(
  "of two members one must be given, and not both: the compiler says so before the service does",
  async (t) => {
    const service = await startService(t, () => refusal(400, "invalid_request"));
    const { messages, batches } = service.client();
    const words = { header: "Hello", body: "Your table is ready." };
    // @ts-expect-error: to whom?
    await t.rejects(messages.send(words), { code: "invalid_request" });
    // @ts-expect-error: to one pass, or to all of a template?
    await t.rejects(messages.send({ ...words, pass_id: "a", template_id: "b" }), { code: "invalid_request" });
    // @ts-expect-error: which pass?
    await t.rejects(batches.create({ operations: [{ type: "revoke" }] }), { code: "invalid_request" });
  },
);
