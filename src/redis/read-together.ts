import { setImmediate as turn } from "node:timers/promises";

/**
 * Reads what many ask for in the same turn of the event loop once for all of them. Nobody gets what was read before they
 * asked, and nothing is kept.
 */
export function readTogether<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return (key) => {
    let reading = asked.get(key);
    if (reading === undefined) {
      reading = turn().then(() => {
        asked.delete(key);
        return read(key);
      });
      asked.set(key, reading);
    }
    return reading;
  };
}
