import { Command, Flags, type Interfaces } from "@oclif/core";
import type { App } from "../app.ts";
import { type Config, type ConfigSource, readConfig } from "../config.ts";
import { type Act, audited } from "../domain/audit/audited.ts";
import { type ErrorKind, PasswrightError } from "../domain/errors.ts";
import { operatorOf } from "./operator.ts";

/** Documented exit codes: scripts rely on them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partly: 3, nothing: 4 } as const;

/** The commands' border for errors. */
const exitCodeOf: Partial<Record<ErrorKind, number>> = {
  not_found: exitCodes.nothing,
};

const hints: Partial<Record<string, string>> = {
  unavailable: "Is Redis running, and PASSWRIGHT_REDIS_URL right?",
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

  /** With `--json` a failure is a JSON document on standard output, too. */
  protected readonly errorsAsJson: boolean = true;

  protected readSettings(flags: NonNullable<ConfigSource["flags"]> = {}): Config {
    return readConfig({ flags });
  }

  /** Opens the app for one verb and closes it whatever happens. */
  protected async withApp<Result>(
    flags: { "redis-url"?: string | undefined },
    verb: (app: App) => Promise<Result>,
  ): Promise<Result> {
    const config = this.readSettings({ redisUrl: flags["redis-url"], logLevel: "error" });
    // Not before it is needed: help, and what is refused for its usage, do without the store.
    const { openApp } = await import("../app.ts");
    const app = await openApp(config, { name: "cli" });
    try {
      return await verb(app);
    } finally {
      await app.close();
    }
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
    if (!(error instanceof PasswrightError)) {
      if ("parse" in error) {
        this.report(
          "invalid_request",
          error.message.replace(/\nSee more help with --help$/, ""),
          exitCodes.usage,
        );
        return undefined;
      }
      if (error.oclif?.exit !== undefined) return super.catch(error);
      this.report("internal_error", error.message, exitCodes.failed);
      return undefined;
    }
    // Settings that are wrong are wrong usage; other configuration that does not work is a failure.
    const isSetting = error.details?.some(({ path }) => path.startsWith("PASSWRIGHT_")) === true;
    const isUsage = error.code === "invalid_request" || isSetting;
    const exitCode = isUsage ? exitCodes.usage : exitCodeOf[error.kind];
    this.report(error.code, error.detail, exitCode ?? exitCodes.failed, error);
    return undefined;
  }

  private report(code: string, description: string, exitCode: number, error?: PasswrightError): void {
    const hint = hints[code];
    const details = error?.details ?? [];
    process.exitCode = exitCode;
    if (this.jsonEnabled() && this.errorsAsJson) {
      this.logJson({
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
