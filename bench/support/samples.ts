export function medianOf(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

/** The least and the greatest, with so many digits. */
export function rangeOf(samples: readonly number[], digits: number): string {
  return `${Math.min(...samples).toFixed(digits)} to ${Math.max(...samples).toFixed(digits)}`;
}
