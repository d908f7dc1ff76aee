/** The functions to measure, by name. Each call is one run. */
export type Contenders = { readonly [name: string]: () => Promise<unknown> };

/** Microseconds of CPU for one run, by name, round by round. */
export type Rounds = { [name: string]: number[] };

/**
 * Alternates between contenders, in a different order each round, and measures the CPU time of the whole process, including
 * garbage collection in other threads.
 */
export async function alternate(
  contenders: Contenders,
  { rounds, runs, warmUp }: { readonly rounds: number; readonly runs: number; readonly warmUp: number },
): Promise<Rounds> {
  const names = Object.keys(contenders);
  const result: Rounds = Object.fromEntries(names.map((name) => [name, []]));
  const turn = async (name: string, times: number): Promise<number> => {
    const run = contenders[name];
    const start = process.cpuUsage();
    for (let i = 0; i < times; i++) await run?.();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / times;
  };
  for (const name of names) await turn(name, warmUp);
  for (let round = 0; round < rounds; round++)
    for (let index = 0; index < names.length; index++) {
      const name = names[(index + round) % names.length] ?? "";
      result[name]?.push(await turn(name, runs));
    }
  return result;
}
