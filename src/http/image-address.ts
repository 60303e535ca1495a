import { createHash } from "node:crypto";
import type { RenderableTemplate } from "../domain/templates/template.ts";

/** The path of a template's image on this origin, by its content; null if it has none of this name. */
export type ImagePath = (template: RenderableTemplate, name: string) => string | null;

/** Hashes each image once for as long as its template version is in memory. */
export function createImagePath(): ImagePath {
  const known = new WeakMap<RenderableTemplate["images"], Map<string, string>>();
  return ({ template, images }, name) => {
    const bytes = images.get(name);
    if (bytes === undefined) return null;
    const paths = known.get(images) ?? new Map<string, string>();
    known.set(images, paths);
    let path = paths.get(name);
    if (path === undefined) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      path = `/images/${template.tenantId ?? "system"}/${sha256}.png`;
      paths.set(name, path);
    }
    return path;
  };
}
