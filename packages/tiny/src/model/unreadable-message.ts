/** Where something stands in a list of messages. */
export type Path = readonly (string | number)[];

/** A message holds what the model cannot read. */
export class UnreadableMessage extends Error {
  override readonly name = "UnreadableMessage";
  /** Where, from the index of the message on. */
  readonly path: Path;

  /** @param fault what is wrong, to be read behind the place: `is no text` */
  constructor(path: Path, fault: string) {
    super(`Message ${path.join(".")} ${fault}.`);
    this.path = path;
  }
}
