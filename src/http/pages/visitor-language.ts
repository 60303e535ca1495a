/** No browser names more; whoever does is not read to the end. */
const mostRanges = 20;

/** Scripts that run from right to left (ISO 15924). */
const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/**
 * The language tags of an Accept-Language header (RFC 9110, 12.5.4), the most wanted first. What is no tag, or has the
 * weight 0, is left out; `*` ends the list, since whatever there is will do.
 */
export function wantedLanguages(header: string | undefined): string[] {
  const ranges = (header ?? "")
    .split(",", mostRanges)
    .map((range) => /^\s*([A-Za-z0-9-]{1,35}|\*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(range))
    .flatMap((found) => (found === null ? [] : [{ tag: found[1] ?? "", weight: Number(found[2] ?? 1) }]))
    .filter(({ tag, weight }) => weight > 0 && (tag === "*" || localeOf(tag) !== null))
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  const any = ranges.indexOf("*");
  return any < 0 ? ranges : ranges.slice(0, any);
}

/**
 * The first wanted language that there is: the same tag, else one of the same language and script, so that `zh-TW` finds
 * `zh-Hant`, and not `zh-Hans`. null where there is none.
 */
export function bestLanguage<Tag extends string>(
  wanted: readonly string[],
  available: readonly Tag[],
): Tag | null {
  const places = available.flatMap((tag) => {
    const locale = localeOf(tag);
    return locale === null ? [] : [{ tag, locale }];
  });
  for (const range of wanted) {
    const locale = localeOf(range);
    if (locale === null) continue;
    const near = places.filter(
      (place) => place.locale.language === locale.language && place.locale.script === locale.script,
    );
    const found = near.find((place) => place.locale.region === locale.region) ?? near[0];
    if (found !== undefined) return found.tag;
  }
  return null;
}

export function directionOf(tag: string): "ltr" | "rtl" {
  return rightToLeft.has(localeOf(tag)?.script ?? "") ? "rtl" : "ltr";
}

/** With script and region as they are likely (UTS #35, likely subtags); null: that is no language tag. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
}
