import type { Words } from "./words.ts";

export const en: Words = {
  language: "en",
  locale: "en-GB",
  gone: {
    title: "This pass is no longer valid",
    text: "Its issuer has withdrawn it. If you think that this is a mistake, please ask whoever gave it to you.",
  },
  missing: {
    title: "There is no pass here",
    text: "Please check the link. It may have been cut off when it was copied or forwarded.",
  },
  paid: {
    title: "Thank you",
    text: "The payment is on its way to us. What you bought is there as soon as it has arrived. You can close this page.",
  },
  status: {
    preparing: "Your pass is being prepared. This page refreshes itself until it is ready.",
    updating: "New details are on their way. A pass that is in your wallet already changes by itself.",
    failed: "This pass could not be put into a wallet. Please ask its issuer for help.",
    revoking: "This pass is being withdrawn and can no longer be added.",
  },
  idle: {
    preparing: "being prepared",
    failed: "not available at the moment",
    withdrawn: "no longer available",
    absent: "not offered for this pass",
  },
  add: (wallet) => `Add to ${wallet}`,
  testOnly: "Test only: just the issuer's test accounts can save it",
  actions: "Add to a wallet",
  front: "Front of the pass",
  pageCode: "QR code with the address of this page",
  towards: "to",
  codes: { qr: "QR code", pdf417: "PDF417 barcode", aztec: "Aztec code", code128: "Code 128 barcode" },
  handOver: {
    title: "Continue on your phone",
    text: "Point its camera at this code, then add the pass to your wallet.",
  },
  message: "Message from the issuer",
  more: "More about this pass",
  issuedBy: "Issued by",
  lastChanged: "Last changed",
  expired: "This pass has expired. It was valid until",
};
