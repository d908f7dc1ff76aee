import { newFolder, startLocal } from "./processes.ts";
import { atMost, median, type Row } from "./report.ts";

/** From nothing to the first answer, with an empty folder. */
export async function measureStart(): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    const { child, url } = await startLocal(newFolder());
    await (await fetch(`${url}/v1/health`)).text();
    times.push(performance.now() - start);
    child.kill();
  }
  const time = median(times);
  return {
    what: "Start to first answer, against half a second",
    ours: `${time.toFixed(0)} ms`,
    ...atMost(time / 500, 1),
  };
}
