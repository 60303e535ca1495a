import { PasswrightError } from "../../domain/errors.ts";
import type { GoogleCredentials, PassToIssue, Provider } from "../../domain/providers/provider.ts";
import { classId } from "./class-body.ts";
import { insertOrPatch } from "./insert-or-patch.ts";
import { objectBody, objectId } from "./object-body.ts";
import { type ClassJob, createPassClasses } from "./pass-classes.ts";
import { passKind } from "./pass-kind.ts";
import { saveLink } from "./save-link.ts";
import { createTemplateImages, type ImageUrl } from "./template-images.ts";
import { markTestObject } from "./test-only.ts";
import { createWalletApi, type WalletApiOptions } from "./wallet-api.ts";

export type GoogleProviderOptions = WalletApiOptions & {
  /** Where Google fetches a template's image. */
  imageUrl: ImageUrl;
  /** Where Google reports saves and deletions of a tenant's passes; it takes https only. None: it reports nothing. */
  callbackUrl?(tenantId: string): string | undefined;
};

/**
 * Google Wallet over its REST API: the class of the template, then the object of the pass, then a link that names
 * the object. Every step may be repeated. What fails is said in `provider_credentials_invalid`,
 * `provider_rate_limited` (with a time to wait), `provider_unavailable` and `provider_rejected`.
 */
export function createGoogleProvider(options: GoogleProviderOptions): Provider<GoogleCredentials> {
  const api = createWalletApi(options);
  const classes = createPassClasses(api);
  const imagesOf = createTemplateImages(options.imageUrl);

  function classJob({ pass, template, place }: PassToIssue, credentials: GoogleCredentials): ClassJob {
    const kind = passKind(template.template.type, template.version.content);
    const callbackUrl = options.callbackUrl?.(pass.tenantId);
    return {
      id: classId(credentials.issuerId, template.template, pass.tenantId),
      credentials,
      kind,
      template,
      images: imagesOf(template),
      ...(place !== undefined && { place }),
      ...(callbackUrl !== undefined && { callbackUrl }),
    };
  }

  return {
    key: "google",
    async issue(job, credentials, signal) {
      const ofClass = classJob(job, credentials);
      const { pass, template, voided, place } = job;
      const { id, kind, images } = ofClass;
      const { issuerId } = credentials;
      const { version } = template;
      const mapped = objectBody({ kind, issuerId, classId: id, pass, version, images, voided });
      const testOnly = credentials.demoMode === true;
      const body = testOnly ? markTestObject(kind, mapped) : mapped;
      const first = pass.version === 1 && !voided ? ("insert" as const) : ("patch" as const);
      const call = { credentials, collection: `${kind}Object`, body, first, ...(place && { place }) };

      await classes.ensure(ofClass, signal);
      let answer = await insertOrPatch(api, call, signal);
      if (answer.outcome === "not_found") {
        // We made the class once, and the issuer has lost it since.
        classes.forget(ofClass);
        await classes.ensure(ofClass, signal);
        answer = await insertOrPatch(api, call, signal);
      }
      if (answer.outcome === "not_found") {
        throw new PasswrightError("provider_rejected", `Google refused ${body.id}: ${answer.reason}`);
      }
      return {
        saveLink: saveLink({ kind, pass, baseUrl: job.baseUrl }, credentials),
        ...(testOnly && { testOnly }),
      };
    },
    async showMessage({ id, tenantId, header, body, passId, template, place }, credentials, signal) {
      const kind = passKind(template.template.type, template.version.content);
      const target =
        passId === null
          ? { collection: `${kind}Class`, id: classId(credentials.issuerId, template.template, tenantId) }
          : { collection: `${kind}Object`, id: objectId(credentials.issuerId, passId) };
      const shown = await api.addMessage(
        { credentials, ...target, message: { id, header, body }, ...(place && { place }) },
        signal,
      );
      // The pass was accepted and is not made yet, or no pass of the template ever was.
      if (shown === "not_found") {
        throw new PasswrightError("provider_unavailable", `Google does not know ${target.id} yet.`);
      }
      return { notified: shown === "shown" };
    },
    close: () => api.close(),
  };
}
