import { accessSync, constants } from "node:fs";

const places = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/** The machine's own browser; `npm test` installs one where there is none. */
export function findChromium(): string {
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`there is no browser: ${places.join(", ")}`);
  return found;
}
