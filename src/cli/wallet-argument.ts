import { Args } from "@oclif/core";
import { walletKeys } from "../domain/templates/template.ts";

/** Which wallet a command is about. */
export const walletArgument = {
  wallet: Args.option({ options: walletKeys })({ description: "the wallet", required: true }),
};
