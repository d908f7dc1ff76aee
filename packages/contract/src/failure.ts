/** A command that cannot do what it was asked for. The message says why, and what to do about it. */
export class Failure extends Error {
  override readonly name = "Failure";
}
