import { magicWords } from "../google/magic.ts";
import { escapeHtml } from "../markup.ts";

/** What the page shows. Every text in it may come from a client. */
export type Overview = {
  addresses: readonly (readonly [name: string, address: string])[];
  receivers: readonly { name: string; total: number; last: string }[];
  pushes: { total: number; last: readonly { at: string; token: string; topic: string }[] };
  google: { type: string; id: string; title: string; updatedAt: string; saved: boolean }[];
  callbacks: { at: string; event: string; object: string; answers: string }[];
  /** What is not as it should be with issuers and service accounts. */
  troubles: { whose: string; what: string }[];
  googleTotals: { classes: number; objects: number };
  checkouts: { id: string; at: string; total: string; status: string }[];
};

const shownRows = 20;

export function renderPage(overview: Overview): string {
  const { addresses, receivers, pushes, google, googleTotals, callbacks, troubles, checkouts } = overview;
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Passwright sandbox</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid #ddd; padding: .25rem .75rem .25rem 0; text-align: left; overflow-wrap: anywhere; }
</style>
<h1>Passwright sandbox</h1>
<p>Stand-ins for Apple’s push service, Google Wallet, Stripe and webhook receivers. Nothing here reaches the real ones.</p>
${table(["What", "Where"], addresses)}
<h2>Webhook receivers</h2>
${table(
  ["Receiver", "Deliveries", "Last"],
  receivers.map(({ name, total, last }) => [name, String(total), last]),
)}
<h2>Pushes accepted: ${pushes.total}</h2>
${table(
  ["At", "Token", "Topic"],
  newest(pushes.last).map(({ at, token, topic }) => [at, `${token.slice(0, 16)}…`, topic]),
)}
<h2>Google Wallet: ${googleTotals.classes} classes, ${googleTotals.objects} objects</h2>
${table(
  ["Changed", "Type", "Id", "Title", "Saved"],
  newest(google).map(({ updatedAt, type, id, title, saved }) => [
    updatedAt,
    type,
    id,
    title,
    saved ? "yes" : "",
  ]),
)}
<p>A text <code>sandbox:google:WORD</code> anywhere in a class or an object makes the calls that carry it fail, and so does an id with
<code>fault-WORD</code>. WORD is one of ${magicWords.join(", ")}; <code>sandbox:google:429:once</code> fails once, <code>…:x3</code> three times.</p>
<h3>Call-backs</h3>
${table(
  ["At", "Event", "Object", "Answers"],
  newest(callbacks).map(({ at, event, object, answers }) => [at, event, object, answers]),
)}
${troubles.length === 0 ? "" : `<h3>Issuers and service accounts</h3>\n${table(["Whose", "What"], troubleRows(troubles))}`}
<h2>Stripe Checkout: ${checkouts.length} sessions</h2>
${table(
  ["Opened", "Session", "Total", "Status"],
  newest(checkouts).map(({ at, id, total, status }) => [at, `${id.slice(0, 20)}…`, total, status]),
)}
</html>
`;
}

const troubleRows = (troubles: Overview["troubles"]) => troubles.map(({ whose, what }) => [whose, what]);

function newest<T>(items: readonly T[]): T[] {
  return items.slice(-shownRows).reverse();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  if (rows.length === 0) return "<p>None yet.</p>";
  return `<table>\n${[row("th", head), ...rows.map((cells) => row("td", cells))].join("\n")}\n</table>`;
}
