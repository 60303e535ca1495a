/** The candidate that somebody most likely meant by a word, or null where none is near. */
export function closest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= tolerance(word, candidate))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}

/** A third of the letters may be wrong. */
function tolerance(word: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.min(word.length, candidate.length) / 3));
}

/** A beginning is nearer than any slip; otherwise letters that are wrong, missing, too many, or two in the wrong order. */
function distanceOf(word: string, candidate: string): number {
  const a = word.toLowerCase();
  const b = candidate.toLowerCase();
  return a.length >= 3 && b.startsWith(a) ? 0.5 : editDistance(a, b);
}

/** Optimal string alignment: Levenshtein's distance, with neighbours that are exchanged as one slip. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const exchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        exchanged ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
