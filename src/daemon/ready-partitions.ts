import type { WorkClass } from "../domain/jobs/work.ts";

/** Where a worker has to look for work of each class: the partitions with news, and those that may hold more. */
export type ReadyPartitions = {
  /** Something has come to these partitions, of whatever class. */
  ring(partitions: readonly number[]): void;
  /**
   * Those of a class to look at now: all with news, and the one of the others that was last looked at longest ago; to look
   * into one has its price. The others stay what they are until it is known whether they hold more: what is found to has
   * to be kept, what is not, forgotten.
   */
  take(workClass: WorkClass): number[];
  /** There may be more. `idle`: but nobody may take it before a hand becomes free. */
  keep(workClass: WorkClass, partitions: Iterable<number>, idle: boolean): void;
  /** There is no more. */
  forget(workClass: WorkClass, partitions: Iterable<number>): void;
  /** A hand has become free: what nobody might take may be taken now. */
  wake(): void;
  /** Whether there is a class with partitions to look at, and nothing that forbids it. */
  isAny(isOpen: (workClass: WorkClass) => boolean): boolean;
};

/**
 * News goes first: it may be somebody who waits, and the rest may be a long batch.
 */
export function createReadyPartitions(classes: readonly WorkClass[]): ReadyPartitions {
  const places = classes.map((workClass) => ({
    workClass,
    news: new Set<number>(),
    rest: new Set<number>(),
    isIdle: false,
  }));
  const placeOf = (workClass: WorkClass) => places.find((place) => place.workClass === workClass);
  return {
    ring(partitions) {
      for (const place of places) {
        for (const partition of partitions) place.news.add(partition);
        place.isIdle = false;
      }
    },
    take(workClass) {
      const place = placeOf(workClass);
      if (place === undefined) return [];
      const partitions = [...place.news];
      for (const partition of place.rest) {
        if (place.news.has(partition)) continue;
        partitions.push(partition);
        break;
      }
      place.news.clear();
      // Whoever was looked at comes last the next time.
      for (const partition of partitions) if (place.rest.delete(partition)) place.rest.add(partition);
      return partitions;
    },
    keep(workClass, partitions, idle) {
      const place = placeOf(workClass);
      if (place === undefined) return;
      for (const partition of partitions) place.rest.add(partition);
      place.isIdle = idle && place.news.size === 0;
    },
    forget(workClass, partitions) {
      const place = placeOf(workClass);
      for (const partition of partitions) place?.rest.delete(partition);
    },
    wake() {
      for (const place of places) place.isIdle = false;
    },
    isAny: (isOpen) =>
      places.some(
        ({ workClass, news, rest, isIdle }) => news.size + rest.size > 0 && !isIdle && isOpen(workClass),
      ),
  };
}
