/**
 * What is done at the end of a turn of the event loop: first what gathers what was asked for within the turn, which may make more
 * to gather, and then what sends it. By immediates of its own each step would wait for another turn, and so for all
 * that has arrived meanwhile.
 */
const gathering: (() => void)[] = [];
const sending: (() => void)[] = [];

/** `gather` must not throw. */
export function gatherAtTurnEnd(gather: () => void): void {
  plan(gathering, gather);
}

/** `send` must not throw. */
export function sendAtTurnEnd(send: () => void): void {
  plan(sending, send);
}

function plan(place: (() => void)[], action: () => void): void {
  if (gathering.length + sending.length === 0) setImmediate(endTurn);
  place.push(action);
}

function endTurn(): void {
  // Both lists grow while they are gone through.
  for (const gather of gathering) gather();
  for (const send of sending) send();
  gathering.length = 0;
  sending.length = 0;
}
