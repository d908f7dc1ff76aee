/** The command cannot do what was requested. The message says why, and how to fix it. */
export class Failure extends Error {
  override readonly name = "Failure";
}
