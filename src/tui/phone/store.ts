import QRCode from "qrcode";
import { afterPhoneEvent, type PhoneEvent, type PhoneState, type ShownPass } from "./state.ts";

export type PhoneStore = {
  state(): PhoneState;
  dispatch(event: PhoneEvent): void;
  /** Calls back after each change; answers with how to be called no more. */
  subscribe(changed: () => void): () => void;
};

/** Holds what is shown, and draws the barcode whenever it is another one. */
export function createPhoneStore(first: PhoneState): PhoneStore {
  const listeners = new Set<() => void>();
  let state = first;
  let drawn = "";

  function dispatch(event: PhoneEvent): void {
    state = afterPhoneEvent(state, event);
    for (const changed of listeners) changed();
    draw(state.pass);
  }

  function draw({ barcode }: ShownPass): void {
    const message = barcode?.format === "QR" ? barcode.message : "";
    if (message === drawn) return;
    drawn = message;
    void codeLines(message).then((code) =>
      dispatch({ type: "drawn", message: barcode?.message ?? "", code }),
    );
  }

  draw(state.pass);
  return {
    state: () => state,
    dispatch,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** A QR code in half blocks; null where there is nothing to draw, or more than a code holds. */
export async function codeLines(message: string): Promise<string[] | null> {
  if (message === "") return null;
  try {
    const text = await QRCode.toString(message, { type: "utf8", errorCorrectionLevel: "L", margin: 2 });
    return text.split("\n").filter((row) => row !== "");
  } catch {
    return null;
  }
}
