import { Command, Flags, type Interfaces } from "@oclif/core";
import type { App } from "../app.ts";
import { type Config, type ConfigSource, readConfig } from "../config.ts";
import { type Act, audited } from "../domain/audit/audited.ts";
import { PasswrightError } from "../domain/errors.ts";
import { printErrorDocument } from "./error-document.ts";
import { exitCodeFor, exitCodes } from "./exit-codes.ts";
import { endOnInterrupt } from "./interruption.ts";
import { operatorOf } from "./operator.ts";
import { rightRefused } from "./redis-refusal.ts";
import { untilStopped } from "./until-stopped.ts";
import { isUsageError, usageMessage } from "./usage-error.ts";

export { exitCodes };

const hints: Partial<Record<string, string>> = {
  unavailable: "Is Redis running, and PASSWRIGHT_REDIS_URL right?",
};

const permissions = {
  hint: "The user of PASSWRIGHT_REDIS_URL needs +@all -@dangerous +info on the keys of PASSWRIGHT_KEY_PREFIX.",
};

/**
 * What all commands have in common: `--json`, the configuration, the app, and one clear line for whatever goes
 * wrong. `run` returns what `--json` prints, and prints the human form itself with `this.log`, which `--json` silences.
 */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    "redis-url": Flags.string({
      description: "the store (else PASSWRIGHT_REDIS_URL)",
      helpGroup: "GLOBAL",
      helpValue: "URL",
    }),
  };

  /** What Ctrl-C leaves undone, where a verb knows it: said when that comes. */
  protected whatIsLeft: () => string | null = () => null;

  /** Whether the verb knows at this moment how to stop on Ctrl-C. */
  protected stopsItself = false;

  protected readSettings(flags: NonNullable<ConfigSource["flags"]> = {}): Config {
    return readConfig({ flags });
  }

  /** Opens the app for one verb and closes it whatever happens. */
  protected async withApp<Result>(
    flags: { "redis-url"?: string | undefined },
    verb: (app: App) => Promise<Result>,
  ): Promise<Result> {
    const config = this.readSettings({ redisUrl: flags["redis-url"], logLevel: "error" });
    const ignoreInterrupts = endOnInterrupt({
      whatIsLeft: () => this.whatIsLeft(),
      stopsItself: () => this.stopsItself,
    });
    // Not before it is needed: help, and what is refused for its usage, do without the store.
    const { openApp } = await import("../app.ts");
    try {
      const app = await openApp(config, { name: "cli" });
      try {
        return await verb(app);
      } finally {
        await app.close();
      }
    } finally {
      ignoreInterrupts();
    }
  }

  /** Aborts with the first signal to stop, for a verb that then comes to its end. A second Ctrl-C ends it as any other. */
  protected stopSignal(): AbortSignal {
    const stop = new AbortController();
    this.stopsItself = true;
    void untilStopped().then(() => {
      this.stopsItself = false;
      stop.abort();
    });
    return stop.signal;
  }

  /** Prints a list for people, or says that there is nothing to list: then the command exits with 4. */
  protected printList<Item>(
    items: readonly Item[],
    linesOf: (items: readonly Item[]) => readonly string[],
    none: string,
  ): void {
    if (items.length > 0) this.log(linesOf(items).join("\n"));
    else this.nothingMatches(none);
  }

  /** Nothing to list. With --json the list, which is empty, says so itself. */
  protected nothingMatches(none: string): void {
    if (!this.jsonEnabled()) process.stderr.write(`${none}\n`);
    process.exitCode = exitCodes.nothing;
  }

  /** Carries out what changes something, and writes down who did it by this command. */
  protected audited<Result>(
    app: Pick<App, "audit" | "config">,
    act: Omit<Act<Result>, "who">,
    verb: () => Promise<Result>,
  ): Promise<Result> {
    return audited({ ...app, unrecorded: this.unrecorded }, { who: operatorOf(app.config), ...act }, verb);
  }

  /** What was done is told all the same. */
  protected readonly unrecorded = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`This was done, and could not be written to the audit log: ${why}\n`);
  };

  protected override async catch(error: Interfaces.CommandError): Promise<unknown> {
    if (error instanceof PasswrightError) {
      const { details, remedy: hint } = error;
      this.report(error.code, error.detail, exitCodeFor(error), {
        ...(details && { details }),
        ...(hint !== undefined && { hint }),
      });
    } else if (isUsageError(error)) {
      const flags = Object.keys({ ...this.ctor.flags, ...this.ctor.baseFlags, json: true });
      const hint = `See \`passwright ${(this.id ?? "").replaceAll(":", " ")} --help\`.`;
      this.report("invalid_request", usageMessage(error, flags), exitCodes.usage, { hint });
    } else if (error.oclif?.exit !== undefined) {
      return super.catch(error);
    } else {
      const refused = rightRefused(error);
      if (refused === null) this.report("internal_error", error.message, exitCodes.failed);
      else this.report("invalid_configuration", `Redis refuses: ${refused}.`, exitCodes.failed, permissions);
    }
    return undefined;
  }

  private report(
    code: string,
    description: string,
    exitCode: number,
    { details = [], hint = hints[code] }: { details?: PasswrightError["details"]; hint?: string } = {},
  ): void {
    process.exitCode = exitCode;
    if (this.jsonEnabled()) {
      printErrorDocument(this.id ?? "", {
        error: code,
        error_description: description,
        ...(details.length > 0 && { details }),
        ...(hint !== undefined && { hint }),
      });
      return;
    }
    const lines = [`Error: ${description}`];
    if (details.length > 1) lines.push(...details.map(({ path, message }) => `  ${path} ${message}`));
    if (hint !== undefined) lines.push(hint);
    // Not by logToStderr, which keeps silent under --json.
    process.stderr.write(`${lines.join("\n")}\n`);
  }
}
