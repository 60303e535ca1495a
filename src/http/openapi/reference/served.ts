import { servedBody } from "../../served-body.ts";
import { loadReferenceAssets, type Reference } from "./assets.ts";
import { referencePage } from "./page.ts";

/** The reference page and its files, read when they are first asked for, and never again. */
export function createReference(): () => Promise<Reference> {
  let reference: Promise<Reference> | undefined;
  return () => {
    reference ??= load();
    return reference;
  };
}

async function load(): Promise<Reference> {
  const { files, names } = await loadReferenceAssets();
  return { page: servedBody(referencePage(names)), asset: (name) => files.get(name) };
}
