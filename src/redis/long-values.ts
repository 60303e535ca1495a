/**
 * The longest value that a hash may hold and still be one compact run of bytes (Redis' hash-max-listpack-value). A single
 * longer one makes it a table, which takes three times the memory; so longer values lie in pieces.
 */
const pieceBytes = 64;

/** Beyond this many bytes a value stays whole: so many pieces would make a table as well. */
const mostInPieces = 2048;

/**
 * A value as fields of a hash: NAME, NAME1, NAME2 and so on. A piece that is not full is the last one, so pieces of a
 * longer value that was there before do no harm.
 */
export function inPieces(name: string, value: string | Buffer): (string | Buffer)[] {
  const bytes = Buffer.from(value as string);
  if (bytes.length < pieceBytes || bytes.length > mostInPieces) return [name, bytes];
  const fields: (string | Buffer)[] = [];
  for (let number = 0; number * pieceBytes <= bytes.length; number += 1) {
    fields.push(pieceName(name, number), bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes));
  }
  return fields;
}

/** The value that was put into a hash so; undefined where there is none. */
export function fromPieces(hash: Readonly<Record<string, Buffer>>, name: string): Buffer | undefined {
  const first = hash[name];
  if (first === undefined || first.length !== pieceBytes) return first;
  const pieces = [first];
  for (let last = first; last.length === pieceBytes; pieces.push(last)) {
    last = hash[pieceName(name, pieces.length)] ?? Buffer.alloc(0);
  }
  return Buffer.concat(pieces);
}

function pieceName(name: string, number: number): string {
  return number === 0 ? name : `${name}${number}`;
}
