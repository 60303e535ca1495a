import type { BarcodeFormat } from "../../../domain/templates/template.ts";

type Notice = { title: string; text: string };

/** What our pages say by themselves, in one language. A pass's own texts come from its template. */
export type Words = {
  /** A language tag (BCP 47). */
  language: string;
  /** What dates and numbers are written by where the pass's own texts have no other language. */
  locale: string;
  gone: Notice;
  missing: Notice;
  paid: Notice;
  status: { preparing: string; updating: string; failed: string; revoking: string };
  /** Why there is no button, behind the name of a wallet. */
  idle: { preparing: string; failed: string; withdrawn: string; absent: string };
  /** The label of a button; `wallet` is a name that is the same in every language. */
  add(wallet: string): string;
  testOnly: string;
  /** Names of parts of the page, for those who hear it. */
  actions: string;
  front: string;
  pageCode: string;
  towards: string;
  codes: Record<BarcodeFormat, string>;
  handOver: Notice;
  message: string;
  more: string;
  /** Each goes before a name or a date. */
  issuedBy: string;
  lastChanged: string;
  expired: string;
};
