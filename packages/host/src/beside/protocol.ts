import type { MessagePort } from "node:worker_threads";
import type { Fault } from "@trainyard/core/validation";
import type { BodyLimits } from "../body.ts";

/** What a thread that judges bodies is started with. */
export interface ThreadData {
  /** The bundled document. */
  readonly root: object;
  /** The address of a module that exports `readers`. */
  readonly readers: string | undefined;
}

/** A body to judge. Its bytes are handed over, and come back with the verdict. */
export interface Question {
  readonly id: number;
  /** The id of its operation. */
  readonly operation: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: BodyLimits;
  readonly digest: boolean;
}

/** What was found out about a body. */
export type Verdict =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" | "too-deep"; readonly reason: string }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | { readonly kind: "read"; readonly value: unknown; readonly digest: string | undefined }
  /** The whole value, in pieces that wait at a port. */
  | { readonly kind: "whole"; readonly pieces: MessagePort; readonly digest: string | undefined };

/** The answer to a question, or how the thread failed at it. */
export type Reply =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly verdict: Verdict }
  | { readonly id: number; readonly error: string };
