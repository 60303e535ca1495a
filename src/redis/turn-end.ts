/**
 * What is done at the end of a turn of the event loop: first what gathers what was asked for within the turn, which may make more
 * to gather, and then what sends it. By immediates of its own each step would wait for another turn, and so for all
 * that has arrived meanwhile.
 */
const gathering: (() => void)[] = [];
const sending: (() => void)[] = [];
let isPlanned = false;

export function gatherAtTurnEnd(gather: () => void): void {
  gathering.push(gather);
  plan();
}

export function sendAtTurnEnd(send: () => void): void {
  sending.push(send);
  plan();
}

function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  try {
    // Both lists grow while they are gone through.
    for (let action = next(); action !== undefined; action = next()) action();
  } finally {
    isPlanned = false;
    // One that threw is no reason to keep the others.
    if (gathering.length + sending.length > 0) plan();
  }
}

function next(): (() => void) | undefined {
  return gathering.shift() ?? sending.shift();
}
