import { createHash } from "node:crypto";
import { PasswrightError } from "../errors.ts";
import type { BackupRecord } from "./record.ts";

/**
 * A backup is text, a record a line: 16 hexadecimal digits, a blank, and the record as JSON. The digits begin the SHA-256
 * of those of the line before and of the JSON, so a line that is missing, moved or altered shows at the next one.
 */
export const firstDigest = "0".repeat(16);

const shape = /^([0-9a-f]{16}) (\{.*\})$/s;

export function digestOf(before: string, json: string): string {
  return createHash("sha256").update(before).update(json).digest("hex").slice(0, 16);
}

/** Writes records as lines, going on behind the line with the digest `last`. */
export function createLineWriter(last = firstDigest): (record: BackupRecord) => string {
  let digest = last;
  return (record) => {
    const json = JSON.stringify(record);
    digest = digestOf(digest, json);
    return `${digest} ${json}\n`;
  };
}

/** A record as it was read: its number (1 is the header), and its digest. */
export type ReadRecord = { number: number; digest: string; record: BackupRecord };

/**
 * Reads lines one by one. Throws invalid_backup, with the number of the record, at the first that is not as it was
 * written.
 */
export function createLineReader(): (line: string) => ReadRecord {
  let digest = firstDigest;
  let number = 0;
  return (line) => {
    number += 1;
    const [, given, json = ""] = shape.exec(line) ?? [];
    if (given === undefined) {
      if (number === 1) throw damaged("This is no backup of Passwright: it does not begin as one.");
      throw damaged(`Record ${number} is damaged or cut short.`);
    }
    if (digestOf(digest, json) !== given) {
      throw damaged(`Record ${number} is not as it was written, or the one before it is missing.`);
    }
    digest = given;
    const record = JSON.parse(json) as BackupRecord;
    if (number === 1) requireHeader(record);
    return { number, digest, record };
  };
}

function requireHeader(record: BackupRecord): void {
  if (record.kind !== "header" || record.format !== "passwright-backup") {
    throw damaged("This is no backup of Passwright: it does not begin as one.");
  }
  if (record.version !== 1) {
    throw damaged(
      `The backup is of version ${record.version}, which this release cannot read. Use the release that made it, ${record.product}, or a newer one.`,
    );
  }
}

export function damaged(detail: string): PasswrightError {
  return new PasswrightError("invalid_backup", detail);
}
