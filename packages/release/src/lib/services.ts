import { started } from "./run.ts";

/** Services of an installed package, in a process of their own. */
export interface RunningServices {
  /** Of all three. */
  readonly url: string;
  /** The environment variables with the addresses and the key. */
  readonly env: Record<string, string>;
}

type Work<Result> = (services: RunningServices) => Result | Promise<Result>;

/** Of the environment that programs get. */
export const key = "a-key-for-this-run";

/**
 * Serves the mock that a program has installed, while `work` runs. @param program the folder of the program
 * @param node what runs the mock; this process's Node where absent
 */
export async function withMock<Result>(program: string, work: Work<Result>, node?: string): Promise<Result> {
  return withServices(program, ["mock", "--port", "0"], work, node);
}

/** Serves what a program has installed, while `work` runs. @param args of `trainyard` */
export async function withServices<Result>(
  program: string,
  args: readonly string[],
  work: Work<Result>,
  node: string = process.execPath,
): Promise<Result> {
  const command = ["node_modules/trainyard/dist/cli.js", ...args];
  const { child, match } = await started(node, command, { cwd: program }, /http:\/\/127\.0\.0\.1:\d+/);
  const [url] = match;
  try {
    return await work({
      url,
      env: {
        TRAINYARD_API_KEY: key,
        TRAINYARD_TRAINING_URL: url,
        TRAINYARD_INFERENCE_URL: `${url}/inference/v1`,
        TRAINYARD_AUXILIARY_URL: `${url}/auxiliary`,
      },
    });
  } finally {
    child.kill();
  }
}
