import type { FieldChange } from "./face.ts";

/** What happens to a pass on a phone, one line each for scripts. */
export type Happening =
  | {
      event: "installed";
      serial_number: string;
      pass_type_identifier: string;
      team_identifier: string;
      /** Subjects, from the signer up. */
      signed_by: string[];
      /** Up to a root that the caller trusts. */
      trusted: boolean;
      fields: Record<string, string>;
      voided: boolean;
      /** What a real phone would not have taken. */
      notes: string[];
    }
  | { event: "registered"; device_id: string; push_token: string; known_before: boolean }
  | { event: "pushed"; pushed_at: string }
  /** `tag`: of what it was told; null where nothing is new. */
  | { event: "listed"; changed: boolean; tag: string | null }
  | { event: "fetched"; modified: string | null; changes: FieldChange[]; fields: Record<string, string> }
  | { event: "unchanged" }
  /** What stands on the lock screen. */
  | { event: "notified"; text: string }
  | { event: "voided" }
  | { event: "unregistered" }
  | { event: "failed"; message: string };
