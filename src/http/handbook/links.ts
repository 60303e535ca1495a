import { posix } from "node:path";
import { errorsFile, guidePath, handbookPages, problemPath, problemsPath } from "./addresses.ts";
import type { LinkTarget } from "./markdown-inline.ts";

const outside = /^(?:https?:|mailto:)/i;

/** Where the links of a file of the repository lead to among the pages; what is not served is linked to by nobody. */
export function linksOf(file: string, isErrorCode: (word: string) => boolean): LinkTarget {
  const addressIn = (path: string, fragment: string | undefined): string | null => {
    if (path === errorsFile) {
      return fragment !== undefined && isErrorCode(fragment) ? problemPath(fragment) : problemsPath;
    }
    const page = handbookPages.find((candidate) => candidate.file === path);
    if (page === undefined) return null;
    return guidePath(page.name) + (fragment === undefined ? "" : `#${fragment}`);
  };
  return (written) => {
    if (outside.test(written)) return written;
    const [path = "", fragment] = written.split("#");
    // A section of the errors is a page of its own, so its fragments lead elsewhere, too.
    if (path === "" && file !== errorsFile) return written;
    return addressIn(path === "" ? file : posix.join(posix.dirname(file), path), fragment);
  };
}
