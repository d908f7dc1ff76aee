import { UsageError } from "@trainyard/terminal/command";

/** The command cannot do what was requested. The message says why, and how to fix it. */
export class Failure extends UsageError {
  override readonly name = "Failure";
}
