import type { WorkClass } from "../domain/jobs/work.ts";

/** Where a worker has to look for work of each class: the partitions with news, and those that may hold more. */
export type ReadyPartitions = {
  /** Something has come to these partitions, of whatever class. */
  ring(partitions: readonly number[]): void;
  /** Takes all of a class, those with news first; what is found to hold more has to be kept. */
  take(workClass: WorkClass): number[];
  /** There may be more. `idle`: but nobody may take it before a hand becomes free. */
  keep(workClass: WorkClass, partitions: Iterable<number>, idle: boolean): void;
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
      const partitions = [...new Set([...place.news, ...place.rest])];
      place.news.clear();
      place.rest.clear();
      return partitions;
    },
    keep(workClass, partitions, idle) {
      const place = placeOf(workClass);
      if (place === undefined) return;
      for (const partition of partitions) place.rest.add(partition);
      place.isIdle = idle && place.news.size === 0;
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
