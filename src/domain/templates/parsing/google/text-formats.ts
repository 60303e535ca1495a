import { isCalendarDay, type TextFormat } from "../text-formats.ts";

const zoned =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

/** Whether Google reads it as a date and a time; the offset may be missing, which means the time of the place. */
export function isApiDate(text: string): boolean {
  return zoned.test(text) && isCalendarDay(text);
}

/** https://developers.google.com/wallet/reference/rest/v1/DateTime */
export const apiDate: TextFormat = {
  wanted: "a date with a time, such as 2027-06-12T19:30:00+02:00",
  fits: isApiDate,
  piece: /^[\dTZ:+.-]*$/,
};

/** A time of the airport's clock, for which Google refuses an offset. */
export const localTime: TextFormat = {
  wanted: "a date with a time and without an offset, such as 2027-06-12T19:30:00",
  fits: (text) => isApiDate(text) && !/(Z|[+-]\d\d:\d\d)$/.test(text),
  piece: /^[\dT:.-]*$/,
};

export const hexColour: TextFormat = {
  wanted: "a colour as #rrggbb",
  fits: (text) => /^#([\da-f]{3}){1,2}$/i.test(text),
  piece: /^[\da-f#]*$/i,
};

export const webUrl: TextFormat = {
  wanted: "an address that begins with https:// or http://",
  fits: (text) => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text),
  piece: /^\S*$/,
  opening: "http",
};

/** By which the rows of a card name it. */
export const moduleId: TextFormat = {
  wanted: "letters, digits, _ and -",
  fits: (text) => /^[\w-]+$/.test(text),
  piece: /^[\w-]*$/,
};

export const iataAirport: TextFormat = {
  wanted: "an airport's three letters (IATA), such as ZRH",
  fits: (text) => /^[A-Z]{3}$/.test(text),
  piece: /^[A-Z]*$/,
};

export const iataCarrier: TextFormat = {
  wanted: "an airline's two characters (IATA), such as LX",
  fits: (text) => /^[A-Z\d]{2}$/.test(text),
  piece: /^[A-Z\d]*$/,
};
