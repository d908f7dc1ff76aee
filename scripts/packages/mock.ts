import { join } from "node:path";
import { started } from "../lib/run.ts";
import { program } from "./places.ts";

/** The packed mock, in a process of its own. */
export interface RunningMock {
  readonly url: string;
  /** What a program reads its addresses and its key from. */
  readonly env: Record<string, string>;
}

/** Serves the packed mock while `work` runs. @param node what runs it; this process's Node where absent */
export async function withMock<Result>(
  work: (mock: RunningMock) => Result | Promise<Result>,
  node: string = process.execPath,
): Promise<Result> {
  const cli = join(program, "node_modules/@trainyard/mock/dist/cli.js");
  const { child, match } = await started(node, [cli, "--port", "0"], { cwd: program }, /http:\/\/127\.0\.0\.1:\d+/);
  const [url] = match;
  try {
    return await work({
      url,
      env: {
        TRAINYARD_API_KEY: "a-key-for-the-mock",
        TRAINYARD_TRAINING_URL: url,
        TRAINYARD_INFERENCE_URL: `${url}/inference/v1`,
        TRAINYARD_AUXILIARY_URL: `${url}/auxiliary`,
      },
    });
  } finally {
    child.kill();
  }
}
