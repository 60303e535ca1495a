/** Rounds of a consumer, of which several may be under way: the store is busy with one while what another brought is begun. */
export type Rounds = {
  /** Begins a round. Resolves when `wake` says that another may bring something, and there is room for it; rejects when one has failed. */
  next(news: readonly number[], wake: () => Promise<unknown>): Promise<void>;
  /** Resolves when none is under way. */
  ended(): Promise<void>;
};

const mostUnderWay = 2;

export function createRounds(runOnce: (news: readonly number[]) => Promise<unknown>): Rounds {
  const underWay = new Set<Promise<unknown>>();
  const failures: unknown[] = [];

  async function run(news: readonly number[]): Promise<void> {
    try {
      await runOnce(news);
    } catch (error) {
      failures.push(error);
    }
  }

  /** However soon somebody is woken, a failure comes first: who goes on at once after each would never do anything else. */
  function throwFailure(): void {
    if (failures.length > 0) throw failures.splice(0)[0];
  }

  return {
    async next(news, wake) {
      const round: Promise<void> = run(news).finally(() => underWay.delete(round));
      underWay.add(round);
      if (underWay.size >= mostUnderWay) await Promise.race(underWay);
      throwFailure();
      await Promise.race([wake(), ...[...underWay].map(whenFailed)]);
      throwFailure();
    },
    async ended() {
      await Promise.all(underWay);
    },
  };

  function whenFailed(round: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      round.then(() => {
        if (failures.length > 0) resolve();
      });
    });
  }
}
