import type { MessagePort } from "node:worker_threads";
import type { Fault } from "@trainyard/core/validation";
import type { BodyLimits } from "../body.ts";

/** The input of a thread that validates bodies. */
export interface ThreadData {
  /** The bundled document. */
  readonly root: object;
  /** The URL of a module that exports `readers`. */
  readonly readers: string | undefined;
}

/** A body to validate. Its bytes are transferred, and returned with the result. */
export interface Question {
  readonly id: number;
  /** The id of its operation. */
  readonly operation: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: BodyLimits;
  readonly digest: boolean;
}

/** The result of a validation. */
export type Verdict =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" | "too-deep"; readonly reason: string }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] }
  | { readonly kind: "read"; readonly value: unknown; readonly digest: string | undefined }
  /** The whole value, in pieces that are waiting at a port. */
  | { readonly kind: "whole"; readonly pieces: MessagePort; readonly digest: string | undefined };

/** The reply to a request, or the error of the thread. */
export type Reply =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer>; readonly verdict: Verdict }
  | { readonly id: number; readonly error: string };
