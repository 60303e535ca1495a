import type { TaskHandler } from "./consumer.ts";

/**
 * Lets so many deliveries go to one webhook at a time; others wait for their turn with their hand, first come, first
 * served. So a fast receiver has no more connections of ours than it can be expected to take, and one that
 * slows down is seen by the wait, as slow.
 */
export function withEndpointSlots(most: number, handler: TaskHandler): TaskHandler {
  const busy = new Map<string, { inUse: number; waiting: Set<() => void> }>();

  const take = async (receiver: string, signal: AbortSignal): Promise<void> => {
    const slots = busy.get(receiver) ?? { inUse: 0, waiting: new Set() };
    busy.set(receiver, slots);
    if (slots.inUse < most) {
      slots.inUse += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      if (slots.waiting.delete(turn.resolve)) turn.reject(signal.reason);
    };
    slots.waiting.add(turn.resolve);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };

  const giveBack = (receiver: string): void => {
    const slots = busy.get(receiver);
    if (slots === undefined) return;
    const [next] = slots.waiting;
    if (next !== undefined) {
      // The slot changes hands, so nobody who comes meanwhile gets in between.
      slots.waiting.delete(next);
      next();
      return;
    }
    slots.inUse -= 1;
    if (slots.inUse === 0) busy.delete(receiver);
  };

  return async (task, signal, concluded) => {
    const receiver = task.record.webhook ?? "";
    await take(receiver, signal);
    let hasSlot = true;
    const end = (): void => {
      if (hasSlot) giveBack(receiver);
      hasSlot = false;
    };
    try {
      return await handler(task, signal, () => {
        end();
        concluded?.();
      });
    } finally {
      end();
    }
  };
}
