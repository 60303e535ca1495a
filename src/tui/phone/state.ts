import type { Key } from "../key.ts";
import type { Tone } from "../page.ts";
import type { Size } from "../state.ts";

/** What of a pass is shown. Every text in it is somebody else's. */
export type ShownPass = {
  organizationName: string;
  description: string;
  logoText: string;
  front: readonly ShownField[];
  back: readonly ShownField[];
  barcode: { format: string; message: string; altText: string } | null;
  voided: boolean;
  expiresAt: string | null;
};
export type ShownField = { label: string; value: string };

/** Something that happened, in a line. */
export type Told = { atMs: number; text: string; tone: Tone };

export type PhoneState = {
  size: Size;
  pass: ShownPass;
  /** The barcode as it is drawn; null: there is none, or it cannot be drawn. */
  code: readonly string[] | null;
  side: "front" | "back";
  told: readonly Told[];
  /** How it was left. */
  left: "kept" | "deleted" | null;
  /** Counts what was asked for by hand. */
  refreshes: number;
};

export type PhoneEvent =
  | { type: "key"; key: Key }
  | { type: "resized"; size: Size }
  | { type: "told"; told: Told; pass: ShownPass }
  | { type: "drawn"; message: string; code: readonly string[] | null }
  | { type: "enough" };

/** More than fit on any screen. */
const mostTold = 200;

export function firstPhoneState(given: { size: Size; pass: ShownPass }): PhoneState {
  return { ...given, code: null, side: "front", told: [], left: null, refreshes: 0 };
}

export function afterPhoneEvent(state: PhoneState, event: PhoneEvent): PhoneState {
  switch (event.type) {
    case "key":
      return afterKey(state, event.key);
    case "resized":
      return { ...state, size: event.size };
    case "told":
      return { ...state, pass: event.pass, told: [...state.told, event.told].slice(-mostTold) };
    case "drawn":
      // It may have changed since.
      return event.message === state.pass.barcode?.message ? { ...state, code: event.code } : state;
    case "enough":
      return { ...state, left: state.left ?? "kept" };
  }
}

function afterKey(state: PhoneState, { text }: Key): PhoneState {
  switch (text) {
    case "b":
      return { ...state, side: state.side === "front" ? "back" : "front" };
    case "u":
      return { ...state, refreshes: state.refreshes + 1 };
    case "d":
      return { ...state, left: "deleted" };
    case "q":
      return { ...state, left: "kept" };
    default:
      return state;
  }
}
