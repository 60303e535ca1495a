import { createHash, hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";

/** So much is hashed or copied in well under a millisecond; the event loop turns after each. */
const sliceBytes = 512 * 1024;

/** How many more bytes this turn of the event loop may have. One for each piece of work with several parts. */
export type Turn = { bytesLeft: number };

export function newTurn(): Turn {
  return { bytesLeft: sliceBytes };
}

/** Large files are worked on in slices, so that nobody else waits for a whole one. */
async function eachSlice(bytes: Uint8Array, turn: Turn, work: (slice: Uint8Array) => void): Promise<void> {
  for (let start = 0; start < bytes.byteLength; ) {
    if (turn.bytesLeft === 0) {
      await nextTurn();
      turn.bytesLeft = sliceBytes;
    }
    const slice = bytes.subarray(start, start + turn.bytesLeft);
    work(slice);
    turn.bytesLeft -= slice.byteLength;
    start += slice.byteLength;
  }
}

/** Lower-case hex. */
export async function sha1(bytes: Uint8Array, turn: Turn): Promise<string> {
  if (isWithin(turn, bytes.byteLength)) return hash("sha1", bytes);
  const sum = createHash("sha1");
  await eachSlice(bytes, turn, (slice) => sum.update(slice));
  return sum.digest("hex");
}

/** Of all the pieces together. */
export async function crcOf(pieces: readonly Uint8Array[], turn: Turn): Promise<number> {
  let sum = 0;
  for (const piece of pieces) {
    if (isWithin(turn, piece.byteLength)) {
      sum = crc32(piece, sum);
      continue;
    }
    await eachSlice(piece, turn, (slice) => {
      sum = crc32(slice, sum);
    });
  }
  return sum;
}

/** One buffer out of several, in their order. */
export async function joined(pieces: readonly Uint8Array[], turn: Turn): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  if (isWithin(turn, length)) return Buffer.concat(pieces, length);
  const whole = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const piece of pieces) {
    await eachSlice(piece, turn, (slice) => {
      whole.set(slice, end);
      end += slice.byteLength;
    });
  }
  return whole;
}

/** Takes small work off the turn at once. */
function isWithin(turn: Turn, bytes: number): boolean {
  if (bytes > turn.bytesLeft) return false;
  turn.bytesLeft -= bytes;
  return true;
}
