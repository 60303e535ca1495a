/** What a text must be, beyond being one. */
export type TextFormat = {
  /** In words, behind «must be». */
  wanted: string;
  fits(text: string): boolean;
  /** What the pieces of such a text may consist of; with tokens between them no more can be said. */
  piece: RegExp;
  /** How it begins, where it always begins in the same way. */
  opening?: string;
};

const date =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether Wallet reads it as a date: hours, minutes and a time zone are there, and the day is in the calendar. */
export function isPassDate(text: string): boolean {
  return date.test(text) && isCalendarDay(text);
}

/** Whether the day that a date begins with, year-month-day, is in the calendar. */
export function isCalendarDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A W3C date with a time and a time zone (https://www.w3.org/TR/NOTE-datetime), seconds and their fractions left to the author. */
export const passDate: TextFormat = {
  wanted: "a complete date with a time zone, such as 2027-06-12T19:30:00+02:00",
  fits: isPassDate,
  piece: /^[\dTZ:+.-]*$/,
};

export const secureUrl: TextFormat = {
  wanted: "an address that begins with https://",
  fits: (text) => /^https:\/\/[^\s/]/i.test(text) && URL.canParse(text),
  piece: /^\S*$/,
  opening: "https://",
};

/** Of whatever scheme: an app opens it. */
export const anyUrl: TextFormat = {
  wanted: "an address with its scheme, such as https:// or that of an app",
  fits: (text) => URL.canParse(text),
  piece: /^\S*$/,
};

export const mailAddress: TextFormat = {
  wanted: "a mail address",
  fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  piece: /^\S*$/,
};

/** As header.background_color, or as pass.json writes it. */
export const passColour: TextFormat = {
  wanted: "a colour as rgb(10, 128, 255) or #0a80ff",
  fits: isColour,
  piece: /^[\da-fA-Frgb#(), ]*$/i,
};

function isColour(text: string): boolean {
  if (/^#([\da-f]{3}|[\da-f]{6})$/i.test(text)) return true;
  const [, ...parts] = /^rgb\( *(\d{1,3}) *, *(\d{1,3}) *, *(\d{1,3}) *\)$/i.exec(text) ?? [];
  return parts.length === 3 && parts.every((part) => Number(part) <= 255);
}

export const uuid: TextFormat = {
  wanted: "a UUID",
  fits: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  piece: /^[\da-f-]*$/i,
};

export const base64: TextFormat = {
  wanted: "Base64 without line breaks",
  fits: (text) => /^(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text),
  piece: /^[A-Za-z\d+/=]*$/,
};

export const sha256: TextFormat = {
  wanted: "a SHA-256 in 64 hexadecimal digits",
  fits: (text) => /^[\da-f]{64}$/i.test(text),
  piece: /^[\da-f]*$/i,
};

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

export const currencyCode: TextFormat = {
  wanted: "a currency's code (ISO 4217), such as EUR",
  fits: (text) => currencies.has(text),
  piece: /^[A-Z]*$/,
};

export const timeZone: TextFormat = {
  wanted: "a time zone's name, such as Europe/Zurich",
  fits: isTimeZone,
  piece: /^[\w+/-]*$/,
};

function isTimeZone(text: string): boolean {
  try {
    return /^[A-Z]/.test(text) && new Intl.DateTimeFormat("en", { timeZone: text }) !== null;
  } catch {
    return false;
  }
}
