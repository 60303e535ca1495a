import { LRUCache } from "lru-cache";

/**
 * Remembers what was read, for at most `ttlMs` (Infinity: for as long as there is room), and asks once when many want
 * the same. Only found values are kept: what is not there yet may come any moment.
 */
export function readCache<Value extends object>(
  read: (key: string) => Promise<Value | null>,
  limits: { entries: number; ttlMs: number; bytes?: { most: number; of(value: Value): number } },
): {
  get(key: string): Promise<Value | null>;
  /** What is known right now; nothing is read. */
  peek(key: string): Value | undefined;
  forget(key: string): void;
} {
  const kept = new LRUCache<string, Value>({
    max: limits.entries,
    ...(Number.isFinite(limits.ttlMs) && { ttl: limits.ttlMs }),
    ...(limits.bytes && { maxSize: limits.bytes.most, sizeCalculation: limits.bytes.of }),
  });
  const underway = new Map<string, Promise<Value | null>>();
  return {
    get(key) {
      const hit = kept.get(key);
      if (hit !== undefined) return Promise.resolve(hit);
      let reading = underway.get(key);
      if (reading === undefined) {
        reading = read(key)
          .then((value) => {
            if (value !== null) kept.set(key, value);
            return value;
          })
          .finally(() => underway.delete(key));
        underway.set(key, reading);
      }
      return reading;
    },
    peek: (key) => kept.get(key),
    forget: (key) => {
      kept.delete(key);
    },
  };
}
