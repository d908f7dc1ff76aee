import type { ThreadEnd } from "./answer.ts";
// Their types are not here, because the declarations of this file must need none of Node.
import type { JudgeBody, JudgedBody } from "./judge.ts";
import type { BodyAnswer, BodyQuestion } from "./judge-thread.ts";
import { receivePieces } from "./pieces.ts";
import { moduleAt, Thread } from "./thread.ts";

/** Options of the validation of large bodies. */
export interface JudgeThreadOptions {
  /** The bundled document that defines the bodies. */
  readonly root: object;
  /** A module that exports `readers`, the same ones that small bodies use. */
  readonly readers?: URL;
  /** Bodies above this number of bytes are large. Default: 256 KiB. */
  readonly above?: number;
  /** Is called when the thread has ended by an error. */
  readonly crashed?: (end: ThreadEnd) => void;
}

/** Validates bodies. Large ones are parsed and validated in a separate thread. */
export interface ThreadJudge {
  readonly judge: JudgeBody;
  /** @throws Error while the thread gives no sign of life */
  check(): void;
  /** Ends the thread. Pending requests fail. */
  close(): Promise<void>;
}

/** Extends a body validator with a thread for large bodies. The thread starts with the first of them. */
export function judgeInThread(
  here: JudgeBody,
  { root, readers, above = 2 ** 18, crashed }: JudgeThreadOptions,
): ThreadJudge {
  const thread = new Thread<BodyQuestion, BodyAnswer>({
    name: "body validation",
    module: moduleAt("./judge-thread", import.meta.url),
    data: { root, readers: readers?.href },
    crashed,
    // A large body is one step, which takes half a second of processor time for each MiB, and more on a busy machine.
    watch: ({ operation, bytes }) => ({ operation, seconds: 10 + (10 * bytes.byteLength) / 2 ** 20 }),
  });

  async function ask(question: BodyQuestion): Promise<JudgedBody> {
    const { judged, pieces } = await thread.ask(question, { transfer: [question.bytes.buffer] });
    if (pieces === undefined || judged.body.kind !== "json") return judged;
    return { ...judged, body: { ...judged.body, value: await receivePieces(pieces) } };
  }

  return {
    judge: (operation, bytes, limits, asked = { digest: false }) =>
      bytes.byteLength > above
        ? ask({ operation: operation.id, bytes, limits, ...asked })
        : here(operation, bytes, limits, asked),
    check: () => thread.check(),
    close: () => thread.close(),
  };
}
