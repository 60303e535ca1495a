import { LRUCache } from "lru-cache";
import { PasswrightError } from "../../domain/errors.ts";
import type { CallPlace } from "../../domain/providers/call-rate.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { classBody } from "./class-body.ts";
import { insertOrPatch } from "./insert-or-patch.ts";
import { createSingleFlight } from "./single-flight.ts";
import type { PassImages } from "./template-images.ts";
import { markTestClass } from "./test-only.ts";
import type { WalletApi, Written } from "./wallet-api.ts";

export type ClassJob = {
  id: string;
  credentials: GoogleCredentials;
  kind: PassKind;
  template: RenderableTemplate;
  images: PassImages;
  translations: Translations;
  callbackUrl?: string;
  place?: CallPlace;
};

/** The classes that this process has made or brought up to date. */
export type PassClasses = {
  /** Makes sure that the class exists, in this version of the template or a later one; one request at a time. */
  ensure(job: ClassJob, signal: AbortSignal): Promise<void>;
  /** Google does not know the class after all. */
  forget(job: ClassJob): void;
};

export function createPassClasses(api: WalletApi): PassClasses {
  /** The newest version done, by class, and whether it was marked as of an issuer in demo mode. */
  const done = new LRUCache<string, { version: number; testOnly: boolean }>({ max: 10_000 });
  const once = createSingleFlight<void>();

  async function write(job: ClassJob, key: string): Promise<void> {
    const { version } = job.template.version;
    const answer = await writeClass(api, job);
    if (answer.outcome === "not_found") {
      throw new PasswrightError("provider_rejected", `Google refused the class: ${answer.reason}`);
    }
    done.set(key, { version, testOnly: isTestOnly(job) });
  }

  return {
    async ensure(job, signal) {
      const key = classKey(job);
      const { version } = job.template.version;
      // One version at a time: two on their way together could arrive in the wrong order.
      const isDone = (): boolean => {
        const known = done.get(key);
        return known !== undefined && known.version >= version && known.testOnly === isTestOnly(job);
      };
      while (!isDone()) await once(key, () => write(job, key), signal);
    },
    forget(job) {
      done.delete(classKey(job));
    },
  };
}

async function writeClass(api: WalletApi, job: ClassJob): Promise<Written> {
  const { id, credentials, kind, images, translations, callbackUrl, place } = job;
  const { template, version } = job.template;
  const mapped = classBody({
    id,
    kind,
    version,
    images,
    translations,
    ...(callbackUrl !== undefined && { callbackUrl }),
  });
  const body = isTestOnly(job) ? markTestClass(mapped) : mapped;
  const call = { credentials, collection: `${kind}Class`, body, ...(place && { place }) };
  // Shared by all who wait, so no one's own signal may end it; the client has a deadline.
  const { signal } = new AbortController();
  // A pass of an older version must not take the class of all passes back to that version.
  if (version.version < template.latestVersion) return api.insert(call, signal);
  return insertOrPatch(api, { ...call, first: version.version === 1 ? "insert" : "patch" }, signal);
}

function isTestOnly({ credentials }: ClassJob): boolean {
  return credentials.demoMode === true;
}

function classKey({ id, credentials, kind, callbackUrl }: ClassJob): string {
  const { apiUrl, clientEmail } = credentials;
  return JSON.stringify([apiUrl, clientEmail, kind, id, callbackUrl]);
}
