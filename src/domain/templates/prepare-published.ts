import type { Clock } from "../clock.ts";
import { asFault } from "../jobs/attempt-fault.ts";
import { isWorthRetrying } from "../jobs/work.ts";
import type { Providers } from "../passes/carry-out.ts";
import type { Credentials, ProviderConfigurationStore } from "../providers/configuration.ts";
import type { TemplateToPrepare } from "../providers/provider.ts";
import { latestVersion } from "./find.ts";
import type { TemplateStore, WalletKey } from "./template.ts";

/** `entry` is what the store knows it by. */
export type PublishedVersion = { tenantId: string; templateId: string; version: number; entry: string };

/** Versions that tenants have published, and that the wallets have yet to be told of. Whatever is taken comes again until it is settled. */
export type PublishedVersions = {
  take(nowMs: number): Promise<{ versions: PublishedVersion[]; hasMore: boolean }>;
  /** Due again at an instant, or with null never. */
  settle(version: PublishedVersion, dueAtMs: number | null): Promise<void>;
};

type Deps = {
  publishedVersions: PublishedVersions;
  templates: Pick<TemplateStore, "find" | "renderable">;
  providerConfigurations: Pick<ProviderConfigurationStore, "credentials">;
  providers: Providers;
  clock: Clock;
};

/** What came of a version: `fault` is why a wallet did not take it, or not yet. */
export type Prepared = PublishedVersion & {
  outcome: "prepared" | "nothing to do" | "later" | "refused";
  fault?: unknown;
};

/** How soon a version is tried again that a wallet cannot take now, and one that this process does not see yet. */
const retryMs = 60_000;
const unseenMs = 3000;
/** So long a version is tried: after that the next pass makes what is missing. */
const triedMs = 24 * 3_600_000;

/**
 * Tells the wallets of the template versions that were published, so that they have a class before its first pass, and
 * passes that there are look as the new version says. What a wallet refuses for good is not asked again: the next pass
 * is, and says why.
 */
export async function preparePublished(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ prepared: Prepared[]; hasMore: boolean }> {
  const { versions, hasMore } = await deps.publishedVersions.take(deps.clock.nowMs());
  const prepared = await Promise.all(versions.map((version) => prepareVersion(deps, version, signal)));
  return { prepared, hasMore };
}

async function prepareVersion(
  deps: Deps,
  published: PublishedVersion,
  signal: AbortSignal,
): Promise<Prepared> {
  const nowMs = deps.clock.nowMs();
  const settle = async (outcome: Prepared["outcome"], dueAtMs: number | null = null): Promise<Prepared> => {
    await deps.publishedVersions.settle(published, dueAtMs);
    return { ...published, outcome };
  };
  const template = await deps.templates.find(published.tenantId, published.templateId);
  if (template !== null && template.latestVersion < published.version) {
    return settle("later", nowMs + unseenMs);
  }
  // A newer version has an entry of its own.
  if (template?.status !== "active" || template.latestVersion > published.version) {
    return settle("nothing to do");
  }
  const job = { tenantId: published.tenantId, template: await latestVersion(deps, template) };
  try {
    const told = await Promise.all(
      template.providers.map((wallet) => prepareIn(deps, wallet, { job, signal })),
    );
    return await settle(told.includes(true) ? "prepared" : "nothing to do");
  } catch (error) {
    const fault = asFault(error);
    const isTried = nowMs < job.template.version.createdAtMs + triedMs;
    const isLater = isTried && (signal.aborted || isWorthRetrying(fault.kind));
    const settled = isLater ? await settle("later", nowMs + retryMs) : await settle("refused");
    return { ...settled, fault };
  }
}

/** False: the wallet has no such thing, or the tenant not the wallet. */
async function prepareIn<Wallet extends WalletKey>(
  deps: Deps,
  wallet: Wallet,
  { job, signal }: { job: TemplateToPrepare; signal: AbortSignal },
): Promise<boolean> {
  const provider: Providers[Wallet] = deps.providers[wallet];
  if (provider.prepare === undefined) return false;
  const credentials: Credentials[Wallet] | null = await deps.providerConfigurations.credentials(
    job.tenantId,
    wallet,
  );
  if (credentials === null) return false;
  await provider.prepare(job, credentials, signal);
  return true;
}
