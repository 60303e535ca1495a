import { Flags } from "@oclif/core";
import { type App, openResigns, openStoredCredentialChecks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { operatorOf } from "../../cli/operator.ts";
import { createProgress, storeIsAway } from "../../cli/progress.ts";
import { resignExitCode, resignTaskLines } from "../../cli/resign-report.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { cancelResign } from "../../domain/resigns/cancel.ts";
import { noSuchResign, type ResignTask, resignTaskResource } from "../../domain/resigns/resign-task.ts";
import { assertSigns, startResign } from "../../domain/resigns/start.ts";
import { watchResign } from "../../domain/resigns/watch.ts";
import { findTenant } from "../../domain/tenants/find.ts";

const patienceMs = 30_000;

type Resigns = Awaited<ReturnType<typeof openResigns>>;

export default class ProvidersResign extends BaseCommand {
  static override summary =
    "Have phones fetch their passes again, so that these bear a new certificate's signature.";
  static override description =
    "After `providers set apple`: every pass of the tenant that is on a phone counts as changed, and the phones are told. What it shows stays as it is, and no version is added. Workers do it, at the rate, and this command looks on: Ctrl-C leaves it to them, and the same command looks on again. Exits 3 when some phones could not be told or it has not ended, and 1 when it failed.";
  static override examples = [
    "<%= config.bin %> providers resign --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --dry-run",
    "<%= config.bin %> providers resign --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --rate 20",
    "<%= config.bin %> providers resign --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --status --json",
    "<%= config.bin %> providers resign --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --cancel",
  ];
  static override flags = {
    tenant: tenantFlag,
    "dry-run": Flags.boolean({ description: "only say how many passes and phones it is about" }),
    rate: Flags.integer({
      description: "so many passes on phones a second at most",
      default: 50,
      min: 1,
      max: 10_000,
      helpValue: "N",
    }),
    status: Flags.boolean({ description: "how far the latest is", exclusive: ["dry-run", "cancel"] }),
    cancel: Flags.boolean({ description: "end it where it is", exclusive: ["dry-run"] }),
  };

  async run() {
    const { flags } = await this.parse(ProvidersResign);
    return this.withApp(flags, async (app) => {
      const { id: tenantId } = await findTenant(app, flags.tenant);
      const resigns = await openResigns(app);
      if (flags.status) return this.show(app, await latest(resigns, tenantId));
      const by = operatorOf(app.config);
      if (flags.cancel) return this.show(app, await cancelResign(resigns, { tenantId, by }));
      const deps = { ...app, ...resigns, credentialChecks: await openStoredCredentialChecks(app) };
      const signal = AbortSignal.timeout(patienceMs);
      if (flags["dry-run"]) {
        await assertSigns(deps, tenantId, signal);
        return this.survey(resigns, tenantId, flags.rate);
      }
      const { task, isNew } = await startResign(deps, { tenantId, rate: flags.rate, by, signal });
      if (!isNew) {
        const since = resignTaskResource(task, app.clock.nowMs()).created_at;
        this.say(`It is under way since ${since}, at its own rate; this looks on.`);
      }
      return this.lookOn(app, resigns, task);
    });
  }

  private async survey({ resignTasks }: Resigns, tenantId: string, rate: number) {
    const progress = createProgress("Counting", await resignTasks.passes(tenantId));
    const found = await resignTasks.survey(tenantId, (seen) => progress.at(seen)).finally(progress.end);
    const seconds = Math.ceil(found.inWallet / rate);
    const resource = { passes: found.passes, in_wallet: found.inWallet, devices: found.devices, seconds };
    this.log(factLines(resource).join("\n"));
    this.log(`\nNothing has been done. At ${rate} a second it takes ${seconds} s or more.`);
    return { dry_run: true, ...resource };
  }

  private async lookOn(app: App, resigns: Resigns, begun: ResignTask) {
    const progress = createProgress("Renewing", begun.passes);
    let done = begun.count.looked_at;
    const signal = this.stopSignal();
    const task = await watchResign(resigns, begun, {
      signal,
      onLook: ({ count, heldBy, trouble }) => {
        done = count.looked_at;
        progress.at(done, { note: noteOf({ heldBy, trouble, renewed: count.renewed }) });
      },
      onAway: () => progress.at(done, { note: storeIsAway }),
    }).finally(progress.end);
    if (task.status === "running") {
      const again = `passwright providers resign --tenant ${task.tenantId}`;
      this.say(
        `Workers go on with it. \`${again}\` looks on again, \`${again} --status\` shows it, \`${again} --cancel\` ends it.`,
      );
    }
    process.exitCode = resignExitCode(task);
    return this.show(app, task);
  }

  private show(app: App, task: ResignTask) {
    const nowMs = app.clock.nowMs();
    this.log(resignTaskLines(task, nowMs).join("\n"));
    return resignTaskResource(task, nowMs);
  }

  /** Not by logToStderr, which keeps silent under --json. */
  private say(line: string): void {
    process.stderr.write(`${line}\n`);
  }
}

async function latest({ resignTasks }: Resigns, tenantId: string): Promise<ResignTask> {
  const task = await resignTasks.latest(tenantId);
  if (task === null) throw noSuchResign(tenantId);
  return task;
}

function noteOf(given: { heldBy: string | null; trouble: string | null; renewed: number }): string {
  if (given.trouble !== null) return `waits: ${given.trouble}`;
  if (given.heldBy === null) return "no worker has it in hand: is one running?";
  return `${given.renewed} on phones`;
}
