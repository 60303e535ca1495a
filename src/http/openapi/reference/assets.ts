import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ServedBody } from "../../served-body.ts";

const compress = promisify(gzip);

/** The reference page, and the files that it is made of. */
export type Reference = { page: ServedBody; asset(name: string): ReferenceAsset | undefined };

export type ReferenceAsset = { body: Buffer; gzipped: Buffer; contentType: string };

/** The files of the reference page by the names under which they are served, which change with their content. */
export type ReferenceAssets = {
  files: ReadonlyMap<string, ReferenceAsset>;
  names: Readonly<Record<"style" | "start" | "rapidoc" | "licence", string>>;
};

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

export async function loadReferenceAssets(): Promise<ReferenceAssets> {
  const files = new Map<string, ReferenceAsset>();
  const add = async (name: string, body: Buffer): Promise<string> => {
    const extension = extname(name);
    const hash = createHash("sha256").update(body).digest("hex").slice(0, 16);
    const served = `${name.slice(0, -extension.length)}-${hash}${extension}`;
    files.set(served, {
      body,
      gzipped: await compress(body),
      contentType: contentTypes[extension] ?? "application/octet-stream",
    });
    return served;
  };
  const own = (name: string) => readFile(new URL(name, import.meta.url));
  const [style, start, rapidoc, licence] = await Promise.all([
    own("./page.css").then((body) => add("page.css", body)),
    own("./start.js").then((body) => add("start.js", body)),
    vendored("rapidoc-min.js", "rapidoc/dist/rapidoc-min.js").then((body) => add("rapidoc.js", body)),
    vendored("LICENSE.txt", "rapidoc/LICENSE.txt").then((body) => add("rapidoc-licence.txt", body)),
  ]);
  return { files, names: { style, start, rapidoc, licence } };
}

/** RapiDoc is copied here by the build; run from the sources, it is where npm put it. */
async function vendored(copy: string, packaged: string): Promise<Buffer> {
  try {
    return await readFile(new URL(`./rapidoc/${copy}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return readFile(createRequire(import.meta.url).resolve(packaged));
  }
}
