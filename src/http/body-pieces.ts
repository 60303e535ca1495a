/** A body that is sent piece by piece, in their order, so that nobody has to join them first. */
export class BodyPieces {
  readonly pieces: readonly Uint8Array[];
  readonly byteLength: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    this.byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  }

  /** All of it in one. */
  joined(): Uint8Array {
    const [only, ...more] = this.pieces;
    return only !== undefined && more.length === 0 ? only : Buffer.concat(this.pieces);
  }
}
