/** Why the store does not do what it was asked, as a sentence for who asked. Nothing of it was done. */
export class StoreRefusal extends Error {
  override readonly name = "StoreRefusal";
}
