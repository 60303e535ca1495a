import type { WorkClass } from "../domain/jobs/work.ts";

/** Partitions that are looked into, until it is known what is there. */
export type Look = {
  partitions: readonly number[];
  /**
   * `more`: there may be more in these; `idle`: in these, too, but nobody may take it before a hand becomes free. In what is
   * in neither there is nothing more, unless somebody else has looked since.
   */
  found(more: Iterable<number>, idle: Iterable<number>): void;
  /** Nothing is known: all may hold more. */
  failed(): void;
};

/** Where a worker has to look for work of each class: the partitions with news, and those that may hold more. */
export type ReadyPartitions = {
  /** Something has come to these partitions, of whatever class. */
  ring(partitions: readonly number[]): void;
  /**
   * Looks into all partitions of a class with news, and the one of the others that was last looked into longest ago, since
   * to look into one has its price; or into all of the others, too.
   */
  look(workClass: WorkClass, intoAll?: boolean): Look;
  /** A hand has become free: what nobody might take may be taken now. */
  wake(workClass: WorkClass): void;
  /** Whether there is a class with partitions to look into, and nothing that forbids it. */
  isAny(isOpen: (workClass: WorkClass) => boolean): boolean;
};

/**
 * News goes first: it may be somebody who waits, and the rest may be a long batch. Partitions that are being looked into stay
 * what they are, so several may be at it at a time; who has looked last knows best.
 */
export function createReadyPartitions(classes: readonly WorkClass[]): ReadyPartitions {
  const places = classes.map(createPlace);
  const placeOf = (workClass: WorkClass) => places.find((place) => place.workClass === workClass);
  return {
    ring(partitions) {
      for (const { news } of places) for (const partition of partitions) news.add(partition);
    },
    look(workClass, intoAll = false) {
      return placeOf(workClass)?.look(intoAll) ?? { partitions: [], found() {}, failed() {} };
    },
    wake(workClass) {
      placeOf(workClass)?.wake();
    },
    isAny: (isOpen) => places.some((place) => place.isAny() && isOpen(place.workClass)),
  };
}

function createPlace(workClass: WorkClass) {
  const news = new Set<number>();
  /** They may hold more: in the order in which they were last looked into. */
  const rest = new Set<number>();
  /** Those of the rest in which nobody may take anything. */
  const idle = new Set<number>();
  /** The latest look into a partition. */
  const latest = new Map<number, number>();
  let looks = 0;
  let wakes = 0;

  function keep(partition: number, isIdle: boolean): void {
    rest.add(partition);
    if (isIdle) idle.add(partition);
    else idle.delete(partition);
  }

  function take(intoAll: boolean): number[] {
    const others = [...rest].filter((partition) => !news.has(partition) && !idle.has(partition));
    const partitions = [...news, ...(intoAll ? others : others.slice(0, 1))];
    news.clear();
    for (const partition of partitions) if (rest.delete(partition)) rest.add(partition);
    return partitions;
  }

  return {
    workClass,
    news,
    isAny: () => news.size > 0 || rest.size > idle.size,
    wake(): void {
      wakes += 1;
      idle.clear();
    },
    look(intoAll: boolean): Look {
      const partitions = take(intoAll);
      const wakesBefore = wakes;
      looks += 1;
      const number = looks;
      for (const partition of partitions) latest.set(partition, number);
      return {
        partitions,
        found(more, nobodys) {
          for (const partition of partitions) {
            if (latest.get(partition) !== number) continue;
            rest.delete(partition);
            idle.delete(partition);
          }
          for (const partition of nobodys) {
            keep(partition, wakes === wakesBefore && (latest.get(partition) ?? 0) <= number);
          }
          for (const partition of more) keep(partition, false);
        },
        failed() {
          for (const partition of partitions) keep(partition, false);
        },
      };
    },
  };
}
