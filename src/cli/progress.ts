/** Says on standard error how far long work is, every so many steps; --json does not silence it. */
export function createProgress(every: number) {
  let steps = 0;
  return {
    step(line: () => string): void {
      steps += 1;
      if (steps % every === 0) process.stderr.write(`${line()}\n`);
    },
  };
}
