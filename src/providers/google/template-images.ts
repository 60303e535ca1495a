import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import { type Image, localized } from "./shared-members.ts";

/** A template's images as Google shows them. */
export type PassImages = {
  /** Shown in a circle, so it is Apple's square icon. */
  logo?: Image;
  /** A wide one, 1280 by 400 pixels at best: the shape of Apple's logo. */
  wideLogo?: Image;
  /** The banner, 1032 by 336 pixels at best: `hero.png`, or else Apple's strip. */
  hero?: Image;
};

/**
 * The public address of a template's image. `owner` is the tenant whose template it is, null for a system template;
 * `sha256` the lower-case hex SHA-256 of the file's bytes.
 */
export type ImageUrl = (owner: string | null, sha256: string) => string;

/** Chooses a template's images, each in its largest scale, and addresses them. Hashes once per template version. */
export function createTemplateImages(imageUrl: ImageUrl): (template: RenderableTemplate) => PassImages {
  const known = new LRUCache<string, PassImages>({ max: 1000 });
  return (rendered) => {
    const key = `${rendered.version.templateId} ${rendered.version.version}`;
    const images = known.get(key) ?? choose(rendered, imageUrl);
    known.set(key, images);
    return images;
  };
}

function choose({ template, version, images }: RenderableTemplate, imageUrl: ImageUrl): PassImages {
  const image = (...names: string[]): Image | undefined => {
    const bytes = names.flatMap(scales).flatMap((name) => images.get(name) ?? [])[0];
    if (bytes === undefined) return undefined;
    const uri = imageUrl(template.tenantId, createHash("sha256").update(bytes).digest("hex"));
    return { sourceUri: { uri }, contentDescription: localized(version.content.header.organization_name) };
  };
  const logo = image("icon", "logo");
  const wideLogo = image("logo");
  const hero = image("hero", "strip");
  return { ...(logo && { logo }), ...(wideLogo && { wideLogo }), ...(hero && { hero }) };
}

function scales(name: string): string[] {
  return [`${name}@3x.png`, `${name}@2x.png`, `${name}.png`];
}
