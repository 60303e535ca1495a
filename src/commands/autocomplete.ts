import { Args } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { bashCompletion } from "../cli/completion/bash.ts";
import { placesOf } from "../cli/completion/command-words.ts";
import { fishCompletion } from "../cli/completion/fish.ts";
import { zshCompletion } from "../cli/completion/zsh.ts";

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
const shells = ["bash", "zsh", "fish"] as const;

export default class Autocomplete extends BaseCommand {
  static override enableJsonFlag = false;
  static override summary = "Print a script that completes commands, flags and their values in a shell.";
  static override description =
    "To be evaluated by the shell's start-up file, or kept where the shell looks for completions. It is made from the commands that there are: make it anew after an upgrade.";
  static override examples = [
    'eval "$(<%= config.bin %> autocomplete bash)"',
    "<%= config.bin %> autocomplete zsh > ~/.zfunc/_<%= config.bin %>",
    "<%= config.bin %> autocomplete fish > ~/.config/fish/completions/<%= config.bin %>.fish",
  ];
  static override args = {
    shell: Args.option({ options: shells })({ description: "the shell", required: true }),
  };

  async run() {
    const { args } = await this.parse(Autocomplete);
    process.stdout.write(writers[args.shell](this.config.bin, placesOf(this.config)));
  }
}
