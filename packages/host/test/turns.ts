/** For tests: how many turns of this thread's event loop pass until a promise settles. */
export async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  const state = { settled: false, turns: 0 };
  const settle = () => (state.settled = true);
  promise.then(settle, settle);
  while (!state.settled) {
    await new Promise((resolve) => setImmediate(resolve));
    state.turns++;
  }
  return state.turns;
}
