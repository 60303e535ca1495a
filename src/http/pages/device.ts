/** What a visitor holds, as far as it decides which wallet is offered first. */
export type Device = "apple" | "android" | "desktop";

/**
 * Reads the User-Agent. An iPad that asks for desktop pages calls itself a Macintosh and counts as a desktop,
 * which costs nothing: every page offers both wallets.
 */
export function deviceOf(userAgent: string | undefined): Device {
  if (userAgent === undefined) return "desktop";
  // Older Windows phones name both others for compatibility.
  if (/\bWindows Phone\b/.test(userAgent)) return "desktop";
  if (/\b(?:iPhone|iPad|iPod)\b/.test(userAgent)) return "apple";
  return /\bAndroid\b/.test(userAgent) ? "android" : "desktop";
}
