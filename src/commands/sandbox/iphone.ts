import { X509Certificate } from "node:crypto";
import { Args, Flags } from "@oclif/core";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { printable } from "../../cli/cell-text.ts";
import { readFlagFile } from "../../cli/read-file.ts";
import { writeOut } from "../../cli/streamed-output.ts";
import { wantsColor } from "../../config.ts";
import { invalidRequest, PasswrightError } from "../../domain/errors.ts";
import type { Happening } from "../../sandbox/iphone/happening.ts";
import { installPass, type Phone } from "../../sandbox/iphone/phone.ts";
import { createPushInbox } from "../../sandbox/iphone/push-inbox.ts";
import { NotReached, PassRefused } from "../../sandbox/iphone/refusal.ts";
import { createEnds, type End, endOf } from "../../sandbox/iphone/until.ts";
import { wordsOf } from "../../sandbox/iphone/words.ts";

export default class SandboxIphone extends BaseCommand {
  static override summary = "Install a pass as an iPhone does, and follow its updates.";
  static override description =
    "Downloads the pass, checks hashes, signature and all that Wallet checks, registers for its changes, answers each push that the sandbox's APNs gets for it, and shows the pass on the terminal. Without a terminal, or with --json, a line of JSON for each thing that happens.";
  static override examples = [
    "<%= config.bin %> sandbox iphone http://127.0.0.1:8080/p/Jb3vPq9XhT5mZk2WcR7sNdE",
    "<%= config.bin %> sandbox iphone http://127.0.0.1:8080/p/Jb3vPq9XhT5mZk2WcR7sNdE --ca .passwright/sandbox/authority/root.pem",
    "<%= config.bin %> sandbox iphone http://127.0.0.1:8080/p/Jb3vPq9XhT5mZk2WcR7sNdE --json --until updates=1 --until seconds=60 --remove",
  ];
  static override args = {
    pass: Args.string({ description: "address of the pass's page, or of its file", required: true }),
  };
  static override flags = {
    ca: Flags.string({
      description: "roots, PEM, under which the pass must be signed; else the certificates in it are enough",
      helpValue: "FILE",
    }),
    "sandbox-url": Flags.string({
      description: "the sandbox (else PASSWRIGHT_SANDBOX_URL)",
      helpValue: "URL",
    }),
    until: Flags.string({
      description: "leave then, whichever comes first: voided, updates=N or seconds=N",
      multiple: true,
      helpValue: "WHAT",
    }),
    remove: Flags.boolean({
      description: "delete the pass on leaving, so that the service forgets this phone",
    }),
  };

  async run() {
    const { args, flags } = await this.parse(SandboxIphone);
    if (!isAddress(args.pass))
      throw invalidRequest([{ path: "pass", message: `must be an http address, not ${args.pass}` }]);
    const ends = (flags.until ?? []).map((text) => endOf(text) ?? refuseEnd(text));
    const roots = flags.ca === undefined ? [] : certificatesIn(flags.ca);
    const { sandboxUrl } = this.readSettings({ sandboxUrl: flags["sandbox-url"] });
    const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && !this.jsonEnabled();

    // Happenings go to where they are shown, once that is there.
    let show: (happening: Happening) => void = (happening) => early.push(happening);
    const early: Happening[] = [];
    const deps = {
      inbox: createPushInbox(sandboxUrl),
      roots,
      nowMs: Date.now,
      happened: (happening: Happening) => show(happening),
    };
    const untilNever = new AbortController().signal;
    const phone = await installPass(deps, args.pass, untilNever).catch(translate);
    const follow = (further: (happening: Happening) => void): void => {
      show = further;
      early.splice(0).forEach(further);
    };
    if (hasTerminal) await this.onTerminal(phone, { follow, ends, remove: flags.remove === true });
    else await this.inLines(phone, { follow, ends, remove: flags.remove === true });
  }

  private async onTerminal(phone: Phone, { follow, ends, remove }: Following): Promise<void> {
    const { runPhone } = await import("../../tui/phone/run.ts");
    const leaving = new AbortController();
    const { stdin, stdout } = process;
    let followed: Promise<void> = Promise.resolve();
    const left = await runPhone({
      terminal: { stdin, stdout },
      pass: phone.face(),
      colored: wantsColor(),
      refresh: () => void phone.refresh(),
      begin: ({ tell, leave }) => {
        const watch = createEnds(ends, leave);
        follow((happening) => {
          for (const words of wordsOf(happening)) tell({ atMs: Date.now(), ...words }, phone.face());
          watch.saw(happening);
        });
        followed = phone.follow(leaving.signal);
        return () => {
          watch.stop();
          leaving.abort();
        };
      },
    });
    await followed;
    follow((happening) => {
      for (const { text } of wordsOf(happening)) this.log(printable(text));
    });
    if (remove || left === "deleted") await phone.remove().catch(translate);
    else
      this.log("The phone stays registered: the service goes on pushing to it. --remove, or d, ends that.");
  }

  private async inLines(phone: Phone, { follow, ends, remove }: Following): Promise<void> {
    const leaving = new AbortController();
    const stopped = this.stopSignal();
    const leave = (): void => leaving.abort();
    stopped.addEventListener("abort", leave, { once: true });
    const watch = createEnds(ends, leave);
    let written = Promise.resolve(true);
    const write = (line: object): void => {
      written = written.then(() => writeOut(`${harmlessJson({ at: new Date().toISOString(), ...line })}\n`));
      // Nobody reads any more.
      void written.then((isRead) => isRead || leave());
    };
    follow((happening) => {
      write(happening);
      watch.saw(happening);
    });
    await phone.follow(leaving.signal);
    watch.stop();
    if (remove) await phone.remove().catch(translate);
    await written;
    if (stopped.aborted && ends.length > 0) process.exitCode = exitCodes.interrupted;
  }
}

type Following = {
  follow(further: (happening: Happening) => void): void;
  ends: readonly End[];
  remove: boolean;
};

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function refuseEnd(text: string): never {
  throw invalidRequest([{ path: "--until", message: `must be voided, updates=N or seconds=N, not ${text}` }]);
}

function certificatesIn(file: string): X509Certificate[] {
  const blocks = readFlagFile("ca", file)
    .toString("latin1")
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  try {
    if (blocks !== null) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // Told below.
  }
  throw invalidRequest([{ path: "--ca", message: `names a file without certificates in PEM: ${file}` }]);
}

/** JSON leaves some characters as they are by which a terminal is steered, or text turned round. */
function harmlessJson(value: object): string {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped);
}

/** A refusal is Wallet's; an address that does not answer is not as it was configured. */
function translate(error: unknown): never {
  if (error instanceof PassRefused) {
    throw new PasswrightError(
      "provider_rejected",
      `The phone does not take the pass. ${printable(error.message)}`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof NotReached) {
    throw new PasswrightError(
      "invalid_configuration",
      `${printable(error.message)} Does everything run, and is PASSWRIGHT_SANDBOX_URL right?`,
      {
        cause: error,
      },
    );
  }
  throw error;
}
