import type { LimitOptions } from "@trainyard/host";
import { OptionError } from "../options.ts";

/**
 * The limits of a server. An ordinary training step of sampled tokens with their log probabilities takes tens of MiB.
 * @throws {@link OptionError} if an operation does not exist
 */
export function limitsFor(given: LimitOptions | undefined, operations: readonly string[]): LimitOptions {
  const unknown = Object.keys(given?.bodyBytesOf ?? {}).find((name) => !operations.includes(name));
  if (unknown !== undefined) {
    throw new OptionError(
      `A body limit names the operation ${unknown}, which does not exist. The operations are: ${operations.join(", ")}.`,
    );
  }
  const large = { "training models.log": 2 ** 27, "training trainingJobs.createRl": 2 ** 27 };
  const bodyBytesOf = { ...(given?.bodyBytes === undefined && large), ...given?.bodyBytesOf };
  return { ...given, names, bodyBytesOf, bodyValuesOf: { ...chatValues, ...given?.bodyValuesOf } };
}

const chatValues = { "training chat.completions.create": 50_000, "inference chat.completions.create": 50_000 };

const names = {
  bodyBytes: "--body-limit",
  bodyDepth: "--depth-limit",
  headerBytes: "--header-limit",
  requests: "--request-limit",
};
