/** Why the store refuses a command, as a sentence for the caller. The command changed nothing. */
export class StoreRefusal extends Error {
  override readonly name = "StoreRefusal";
}
