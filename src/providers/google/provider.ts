import { PasswrightError } from "../../domain/errors.ts";
import type { CallPlace } from "../../domain/providers/call-rate.ts";
import type { GoogleCredentials, Provider, TemplateToPrepare } from "../../domain/providers/provider.ts";
import { passKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import { createTemplateTranslations } from "../../domain/templates/translations.ts";
import { classId } from "./class-body.ts";
import { withReview } from "./class-review.ts";
import { insertOrPatch } from "./insert-or-patch.ts";
import { createMessages } from "./messages.ts";
import { objectBody, objectId } from "./object-body.ts";
import { type ClassJob, createPassClasses } from "./pass-classes.ts";
import { saveLink } from "./save-link.ts";
import { createTemplateImages, type ImageUrl } from "./template-images.ts";
import { markTestObject } from "./test-only.ts";
import { createWalletApi, type WalletApiOptions, type WalletTarget } from "./wallet-api.ts";

export type GoogleProviderOptions = WalletApiOptions & {
  /** Where Google fetches a template's image. */
  imageUrl: ImageUrl;
  /** Where Google reports saves and deletions of a tenant's passes. None: it reports nothing. */
  callbackUrl?(tenantId: string, credentials: GoogleCredentials): string | undefined;
};

/**
 * Google Wallet over its REST API: the class of the template, then the object of the pass, then a link that names
 * the object. Every step may be repeated. What fails is said in `provider_credentials_invalid`,
 * `provider_rate_limited` (with a time to wait), `provider_unavailable` and `provider_rejected`.
 */
export function createGoogleProvider(options: GoogleProviderOptions): Provider<GoogleCredentials> {
  const api = createWalletApi(options);
  const classes = createPassClasses(api);
  const messages = createMessages(api);
  const imagesOf = createTemplateImages(options.imageUrl);
  const translationsOf = createTemplateTranslations();

  function classJob(
    { tenantId, template, place }: TemplateToPrepare & { place?: CallPlace },
    credentials: GoogleCredentials,
  ): ClassJob {
    const kind = passKind(template.template.type, template.version.content);
    const callbackUrl = options.callbackUrl?.(tenantId, credentials);
    return {
      id: classId(credentials.issuerId, template.template, tenantId),
      credentials,
      kind,
      template,
      images: imagesOf(template),
      translations: translationsOf(template),
      ...(place !== undefined && { place }),
      ...(callbackUrl !== undefined && { callbackUrl }),
    };
  }

  return {
    key: "google",
    async prepare(job, credentials, signal) {
      const ofClass = classJob(job, credentials);
      classes.forget(ofClass);
      await classes.ensure(ofClass, signal);
    },
    async issue(job, credentials, signal) {
      const { pass, template, voided, place } = job;
      const ofClass = classJob({ tenantId: pass.tenantId, template, ...(place && { place }) }, credentials);
      const { id, kind, images, translations } = ofClass;
      const { issuerId } = credentials;
      const { version } = template;
      const look = { version, images, translations };
      const mapped = objectBody({ kind, issuerId, classId: id, pass, ...look, voided });
      const testOnly = credentials.demoMode === true;
      const body = testOnly ? markTestObject(kind, mapped) : mapped;
      const first = pass.version === 1 && !voided ? ("insert" as const) : ("patch" as const);
      const call = { credentials, collection: `${kind}Object`, body, first, ...(place && { place }) };

      const write = () =>
        insertOrPatch(api, call, signal).catch(async (error: unknown) => {
          throw await withReview(api, { error, ofClass }, signal);
        });

      await classes.ensure(ofClass, signal);
      let answer = await write();
      if (answer.outcome === "not_found") {
        // We made the class once, and the issuer has lost it since.
        classes.forget(ofClass);
        await classes.ensure(ofClass, signal);
        answer = await write();
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
      const sender = { credentials, ...(place && { place }) };
      const ofClass = classJob({ tenantId, template, ...(place && { place }) }, credentials);
      const { kind } = ofClass;
      const target: WalletTarget =
        passId === null
          ? { ...sender, collection: `${kind}Class`, id: ofClass.id }
          : { ...sender, collection: `${kind}Object`, id: objectId(credentials.issuerId, passId) };
      let shown = await messages.show(target, { id, header, body }, signal);
      if (shown === "not_found" && passId === null) {
        classes.forget(ofClass);
        await classes.ensure(ofClass, signal);
        shown = await messages.show(target, { id, header, body }, signal);
      }
      // The pass was accepted and is not made yet.
      if (shown === "not_found") {
        throw new PasswrightError("provider_unavailable", `Google does not know ${target.id} yet.`);
      }
      return { notified: shown === "shown" };
    },
    close: () => api.close(),
  };
}
