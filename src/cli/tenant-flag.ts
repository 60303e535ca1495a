import { Flags } from "@oclif/core";

export const tenantFlag = Flags.string({
  description: "the tenant's id",
  required: true,
  helpValue: "ID",
});

/** Everything that a list holds: operators' lists are short. */
export const wholeList = { page: 1, pageSize: 10_000 };
