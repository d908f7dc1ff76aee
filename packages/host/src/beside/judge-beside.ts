import { Worker } from "node:worker_threads";
import type { JudgeBody, JudgedBody } from "../judge.ts";
import { receivePieces } from "./pieces.ts";
import type { Question, Reply, ThreadData } from "./protocol.ts";

/** Options of the validation of large bodies. */
export interface BesideOptions {
  /** The bundled document that defines the bodies. */
  readonly root: object;
  /** A module that exports `readers`, the same ones that small bodies use. */
  readonly readers?: URL;
  /** Bodies above this number of bytes are large. Default: 1 MiB. */
  readonly above?: number;
}

/** Validates bodies. Large ones are parsed and validated in a separate thread. */
export interface BesideJudge {
  readonly judge: JudgeBody;
  /** Ends the thread. Pending requests fail. */
  close(): Promise<void>;
}

/** The reply of a thread that did not fail. */
type Judgment = Exclude<Reply, { error: string }>;

interface Waiting {
  resolve(reply: Judgment): void;
  reject(error: Error): void;
}

/** Extends a body validator with a thread for large bodies. The thread starts with the first of them. */
export function judgeBeside(here: JudgeBody, { root, readers, above = 2 ** 20 }: BesideOptions): BesideJudge {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let count = 0;

  function start(): Worker {
    // The thread's file is next to this one: TypeScript in the sources, JavaScript in the package.
    const source = import.meta.url.endsWith(".ts");
    const data: ThreadData = { root, readers: readers?.href };
    const made = new Worker(new URL(source ? "./thread.ts" : "./thread.js", import.meta.url), {
      workerData: data,
      name: "trainyard bodies",
      ...(source && { execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"] }),
    });
    const fail = (error: Error): void => {
      if (worker === made) worker = undefined;
      for (const pending of waiting.values()) pending.reject(error);
      waiting.clear();
    };
    made.unref();
    made.on("message", (reply: Reply) => {
      const pending = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) made.unref();
      if ("error" in reply) pending?.reject(new Error(`A body could not be validated: ${reply.error}`));
      else pending?.resolve(reply);
    });
    made.on("error", (cause) => fail(new Error("The thread that validates bodies failed.", { cause })));
    made.on("exit", () => fail(new Error("The thread that validates bodies has ended.")));
    return made;
  }

  async function ask(question: Omit<Question, "id">): Promise<JudgedBody> {
    const id = ++count;
    const reply = await new Promise<Judgment>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker ??= start();
      worker.ref();
      worker.postMessage({ id, ...question } satisfies Question, [question.bytes.buffer]);
    });
    return judged(reply);
  }

  return {
    judge: (operation, bytes, limits, { digest } = { digest: false }) =>
      bytes.byteLength > above
        ? ask({ operation: operation.id, bytes, limits, digest })
        : here(operation, bytes, limits, { digest }),
    close: async () => {
      await worker?.terminate();
    },
  };
}

async function judged({ bytes, verdict }: Judgment): Promise<JudgedBody> {
  switch (verdict.kind) {
    case "none":
      return { body: { kind: "none" }, faults: [] };
    case "malformed":
    case "too-deep":
      return { body: { kind: verdict.kind, reason: verdict.reason }, faults: [] };
    case "invalid":
      return { body: { kind: "json", value: undefined, bytes }, faults: verdict.faults };
    default: {
      const value = verdict.kind === "read" ? verdict.value : await receivePieces(verdict.pieces);
      const digest = verdict.digest !== undefined && { digest: verdict.digest };
      return { body: { kind: "json", value, bytes }, faults: [], ...digest };
    }
  }
}
