import { type Check, counted, failed, ok, reasonOf, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { someTenants, webhooksOf } from "./some-tenants.ts";

/** Receivers that are tried. */
const mostReceivers = 10;

/** Nothing is sent: a receiver sees a connection that says nothing. */
export const webhookEgress: Check<Pick<Installation, "tenants" | "mostTenants" | "webhooks" | "reach">> = {
  name: "webhook-egress",
  expects: "receivers of webhooks can be reached from this machine (10 at most; nothing is sent)",
  only: "online",
  async look(needs) {
    const { tenants } = await someTenants(needs);
    const active = (await webhooksOf(needs, tenants)).filter(({ isActive }) => isActive);
    const urls = [...new Set(active.map(({ url }) => new URL(url).origin))].slice(0, mostReceivers);
    if (urls.length === 0) return [ok("There is no active webhook.")];
    const attempts = await Promise.allSettled(urls.map((url) => needs.reach.webhook(url)));
    const refused = attempts.flatMap((attempt, index) =>
      attempt.status === "rejected" ? [`${urls[index]}: ${reasonOf(attempt.reason)}`] : [],
    );
    if (refused.length === 0) return [ok(`${counted(urls.length, "receiver")} can be reached.`)];
    if (refused.length === urls.length && urls.length > 1) {
      return [
        failed(
          `None of ${urls.length} receivers can be reached, such as ${refused[0]}`,
          "Let the workers out to the internet, with DNS; PASSWRIGHT_WEBHOOK_ALLOW_CIDRS names private ranges that may be reached, PASSWRIGHT_WEBHOOK_CA_FILE further roots.",
        ),
      ];
    }
    const remedy =
      "It is the receiver's, or this machine's way out; `passwright webhooks test` sends to one and says more.";
    return refused.map((what) => warning(what, remedy));
  },
};
