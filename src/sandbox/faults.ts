import { randomUUID } from "node:crypto";

/** A scripted misbehaviour, used up after `times` requests. */
export type Fault = {
  id: string;
  /** Which requests it hits: those whose resource begins with this. Empty: all. */
  resourcePrefix: string;
  /** Answered instead of the truth; without it the fault only delays. */
  status: number | null;
  headers: Record<string, string>;
  delayMs: number;
  /** Cuts the connection instead of answering. */
  reset: boolean;
  /** `after`: the request takes effect, and only its answer is lost. */
  when: "before" | "after";
  remaining: number;
};

export type Faults = {
  add(fault: Omit<Fault, "id">): Fault;
  list(): Fault[];
  clear(): void;
  /** The first fault that is meant for `resource`, counted as used. */
  take(resource: string): Fault | undefined;
};

export function createFaults(): Faults {
  let active: Fault[] = [];
  return {
    add(fault) {
      const added = { id: randomUUID(), ...fault };
      active.push(added);
      return added;
    },
    list: () => active.map((fault) => ({ ...fault })),
    clear() {
      active = [];
    },
    take(resource) {
      const fault = active.find(({ resourcePrefix }) => resource.startsWith(resourcePrefix));
      if (fault === undefined) return undefined;
      fault.remaining -= 1;
      if (fault.remaining <= 0) active = active.filter((other) => other !== fault);
      return fault;
    },
  };
}
