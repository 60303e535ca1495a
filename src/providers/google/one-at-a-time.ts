/** Runs the work when all that was asked for before under the same key has ended, well or not. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    const forget = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
