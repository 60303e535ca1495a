import t from "tap";
import { workerParts } from "../../src/cli/worker-parts.ts";
import { openCommands } from "../support/command.ts";

t.test("a worker that nothing is said to does all there is", async (t) => {
  t.strictSame(workerParts(undefined), { classes: ["interactive", "bulk", "webhooks"], scheduler: true });
});

t.test("parts are named by themselves or together, in any order", async (t) => {
  t.strictSame(workerParts("provider"), { classes: ["interactive", "bulk"], scheduler: false });
  t.strictSame(workerParts("webhook"), { classes: ["webhooks"], scheduler: false });
  t.strictSame(workerParts("scheduler"), { classes: [], scheduler: true });
  t.strictSame(workerParts("scheduler, webhook,webhook"), { classes: ["webhooks"], scheduler: true });
});

t.test("a part that does not exist is refused by its name, and nothing is started", async (t) => {
  for (const wrong of ["", "webhooks", "provider,", "toString"]) {
    t.throws(() => workerParts(wrong), { code: "invalid_request", details: [{ path: "--only" }] }, wrong);
  }
  const { code, stderr } = await openCommands(t)("worker", ["--only", "provider,wallets"]);
  t.equal(code, 2);
  t.match(stderr, "--only");
  t.match(stderr, "provider, webhook, scheduler");
});
