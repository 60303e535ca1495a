import { PasswrightError } from "../errors.ts";
import { createLineReader, damaged, type ReadRecord } from "./line.ts";
import type { BackupHeader } from "./record.ts";

/** What a backup holds, as far as it can be read. */
export type Survey = {
  /** Null where not even the header can be read. */
  header: BackupHeader | null;
  tenants: ReadonlySet<string>;
  /** How far its last complete section goes, or its header where there is none. */
  safe: { sections: number; records: number; bytes: number; digest: string };
  /** Why it is not whole; null where it is. */
  damage: PasswrightError | null;
};

/** Reads a backup to its end and checks every record, and that there are as many as there must be. */
export async function surveyBackup(lines: AsyncIterable<string>): Promise<Survey> {
  const read = createLineReader();
  const tenants = new Set<string>();
  const counted = createRecordCount();
  let header: BackupHeader | null = null;
  let safe: Survey["safe"] = { sections: 0, records: 0, bytes: 0, digest: "" };
  let [bytes, isWhole] = [0, false];
  try {
    for await (const line of lines) {
      if (isWhole) throw damaged("The backup goes on behind its last record.");
      const one = read(line);
      counted(one);
      bytes += Buffer.byteLength(line) + 1;
      const { record } = one;
      if (record.kind === "header") header = record;
      if (record.kind === "key" && record.tenant !== null) tenants.add(record.tenant);
      if (record.kind === "trailer") isWhole = true;
      if (record.kind === "header" || record.kind === "end") {
        const sections = safe.sections + (record.kind === "end" ? 1 : 0);
        safe = { sections, records: one.number, bytes, digest: one.digest };
      }
    }
  } catch (error) {
    if (!(error instanceof PasswrightError) || error.code !== "invalid_backup") throw error;
    return { header, tenants, safe, damage: error };
  }
  return { header, tenants, safe, damage: isWhole ? null : cutShort(counted.last()) };
}

/** Checks the counts that the ends of sections and the trailer name. Throws invalid_backup. */
export function createRecordCount(): ((one: ReadRecord) => void) & { last(): number } {
  let [first, last] = [0, 0];
  const count = ({ number, record }: ReadRecord): void => {
    last = number;
    if (record.kind === "section") first = number;
    const is = record.kind === "end" ? number - 1 - first : number;
    if ((record.kind === "end" || record.kind === "trailer") && record.records !== is) {
      throw damaged(`Record ${number} says that there are ${record.records} records, and there are ${is}.`);
    }
  };
  return Object.assign(count, { last: () => last });
}

export function cutShort(records: number): PasswrightError {
  if (records === 0) return damaged("The backup is empty.");
  return damaged(
    `The backup is cut short: it ends after record ${records}, without its last one. \`backup --resume\` goes on with it.`,
  );
}
