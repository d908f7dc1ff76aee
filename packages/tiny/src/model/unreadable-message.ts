/** The path of something in a list of messages. */
export type Path = readonly (string | number)[];

/** A message contains what the model cannot read. */
export class UnreadableMessage extends Error {
  override readonly name = "UnreadableMessage";
  /** The path, starting with the index of the message. */
  readonly path: Path;

  /** @param fault the error, which follows the path in messages: `is not a string` */
  constructor(path: Path, fault: string) {
    super(`Message ${path.join(".")} ${fault}.`);
    this.path = path;
  }
}
