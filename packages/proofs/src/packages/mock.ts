import { type RunningServices, withMock as withMockOf } from "@trainyard/release/services";
import { program } from "./places.ts";

/** Serves the packed mock while `work` runs. @param node the runtime; default: this process's Node */
export function withMock<Result>(
  work: (mock: RunningServices) => Result | Promise<Result>,
  node?: string,
): Promise<Result> {
  return withMockOf(program, work, node);
}
