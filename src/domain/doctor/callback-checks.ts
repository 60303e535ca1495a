import { isoInstant } from "../clock.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import { type Check, failed, ok, reasonOf, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { ofTenants, someTenants } from "./some-tenants.ts";

type Needs = Pick<
  Installation,
  "tenants" | "mostTenants" | "providerConfigurations" | "clock" | "policies" | "reach"
>;

const dayMs = 86_400_000;

export const callbackKeys: Check<Needs> = {
  name: "google-callback-keys",
  expects:
    "where a tenant has Google Wallet and `PASSWRIGHT_BASE_URL` is https, the root keys that vouch for Google's call-backs are to be had, and one lasts for a day",
  only: "online",
  async look(needs) {
    const { clock, policies, reach } = needs;
    if (!policies.baseUrl.startsWith("https:"))
      return [ok("PASSWRIGHT_BASE_URL is not https: Google is not asked for call-backs.")];
    const sample = await someTenants(needs);
    const found = await fewAtATime(sample.tenants, ({ id }) =>
      needs.providerConfigurations.find(id, "google"),
    );
    // The sandbox's own are verified by the sandbox's keys.
    if (!found.some((configuration) => configuration !== null && !configuration.sandbox)) {
      return [ok(`None ${ofTenants(sample)} uses Google Wallet itself.`)];
    }
    const remedy =
      "Let this machine reach PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL, or keep PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE up to date.";
    try {
      const endMs = await reach.callbackKeys();
      const told = `The last of Google's keys for call-backs ends on ${isoInstant(endMs)}`;
      if (endMs <= clock.nowMs()) return [failed(`${told}: no call-back can be verified.`, remedy)];
      return endMs < clock.nowMs() + dayMs ? [warning(`${told}.`, remedy)] : [ok(`${told}.`)];
    } catch (error) {
      return [failed(`Google's keys for call-backs: ${reasonOf(error)}`, remedy)];
    }
  },
};
