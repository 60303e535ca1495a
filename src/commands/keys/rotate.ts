import { Flags } from "@oclif/core";
import { openKeyMint } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { factLines } from "../../cli/table.ts";
import { dropCompromisedKey } from "../../domain/signing-keys/drop-compromised.ts";
import { type Rotation, rotateKey } from "../../domain/signing-keys/rotate.ts";

export default class KeysRotate extends BaseCommand {
  static override description =
    "Let the next signing key sign from now on, and publish a new next one. Refuses while that would break verifiers.";
  static override examples = [
    "<%= config.bin %> keys rotate",
    "<%= config.bin %> keys rotate --dry-run",
    "<%= config.bin %> keys rotate --compromised NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --yes",
  ];
  static override flags = {
    force: Flags.boolean({
      description: "rotate although the next key has been public for less than 24 hours",
      exclusive: ["compromised"],
    }),
    compromised: Flags.string({
      description: "a key that has leaked: nothing that it signed is believed any more",
      helpValue: "KID",
    }),
    "dry-run": Flags.boolean({ description: "only say what would happen" }),
    yes: yesFlag,
  };

  async run() {
    const { flags } = await this.parse(KeysRotate);
    const { force, compromised } = flags;
    return this.withApp(flags, async (app) => {
      const deps = { ...app, mintSigningKey: await openKeyMint() };
      const rotate = (dryRun: boolean): Promise<Rotation> =>
        compromised === undefined
          ? rotateKey(deps, { force, dryRun })
          : dropCompromisedKey(deps, { kid: compromised, dryRun });

      const plan = await rotate(true);
      if (flags["dry-run"]) return this.show(plan, false);
      if (force || compromised !== undefined) {
        const word = compromised ?? "rotate";
        await confirmDanger({ yes: flags.yes, consequences: plan.warnings, word });
      }
      const act = {
        action: "keys.rotate",
        tenant_id: null,
        target: null,
        details: { force, compromised: compromised ?? null },
        told: ({ warnings: _, ...kids }: Rotation) => ({ details: kids }),
      };
      return this.show(await this.audited(app, act, () => rotate(false)), true);
    });
  }

  private show(rotation: Rotation, rotated: boolean) {
    const { warnings, ...kids } = rotation;
    const lines = Object.entries({ ...kids, next: kids.next ?? "a new key" }).flatMap(([state, kid]) =>
      kid === null ? [] : [[state, kid] as const],
    );
    this.log(factLines({ ...Object.fromEntries(lines), rotated }).join("\n"));
    for (const warning of warnings) this.logToStderr(warning);
    return { rotated, ...kids, warnings };
  }
}
