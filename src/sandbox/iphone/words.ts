import type { Happening } from "./happening.ts";

/** A happening for people, in a line, and how it is meant. */
export type Words = { text: string; tone: "plain" | "good" | "warning" | "bad" | "faint" };

export function wordsOf(happening: Happening): Words[] {
  switch (happening.event) {
    case "installed": {
      const signers = happening.signed_by.slice(1).join(" < ");
      const trust = happening.trusted
        ? "up to a root that you trust"
        : "by the certificates in it; --ca FILE checks the root";
      return [
        { text: `Installed ${happening.serial_number}. Signature good, ${trust}: ${signers}`, tone: "good" },
        ...happening.notes.map((text) => ({ text, tone: "warning" as const })),
      ];
    }
    case "registered":
      return [{ text: `Registered as ${happening.device_id}; waiting for pushes`, tone: "good" }];
    case "pushed":
      return [{ text: "Pushed: something has changed", tone: "plain" }];
    case "listed":
      return [
        {
          text: happening.changed ? `Listed: this pass, tag ${happening.tag}` : "Listed: nothing is new",
          tone: "plain",
        },
      ];
    case "fetched": {
      const changes = happening.changes.map(
        ({ label, key, from, to }) => `${label || key}: ${from ?? "-"} → ${to ?? "-"}`,
      );
      return [
        {
          text: `Fetched. ${changes.length === 0 ? "No field has changed" : changes.join(", ")}`,
          tone: "plain",
        },
      ];
    }
    case "unchanged":
      return [{ text: "Fetched: nothing is newer", tone: "plain" }];
    case "notified":
      return [{ text: `Lock screen: ${happening.text}`, tone: "good" }];
    case "voided":
      return [{ text: "The pass is void now", tone: "bad" }];
    case "unregistered":
      return [{ text: "Deleted, and the service was told", tone: "plain" }];
    case "failed":
      return [{ text: happening.message, tone: "bad" }];
  }
}
