import { byExample, refuse } from "@trainyard/host";
import type { Handlers } from "./service-types.ts";

type Training = Handlers<"training">;
type Auxiliary = Handlers<"auxiliary">;

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

// A status that the document declares, with its body.
export const good: Training["models.delete"] = async () => ({
  status: 200,
  body: { model_id: id, deleted_checkpoints: 1, deleted_run: false },
});
export const declared: Training["models.delete"] = async () => refuse(404, "gone");

// @ts-expect-error Delete Model declares no 409.
export const undeclared: Training["models.delete"] = async () => refuse(409, "no");

// @ts-expect-error A field is missing.
export const incomplete: Training["models.delete"] = async () => ({
  status: 200,
  body: { model_id: id, deleted_run: false },
});

// @ts-expect-error A count is not text.
export const wrong: Training["models.delete"] = async () => ({
  status: 200,
  body: { model_id: id, deleted_checkpoints: "1", deleted_run: false },
});

// @ts-expect-error Only chat streams.
export const stream: Training["models.delete"] = async () => ({ stream: new ReadableStream<Uint8Array>() });

// @ts-expect-error The body of an error is the one of its service.
export const style: Auxiliary["objects.read"] = async () => ({ status: 404, body: { detail: "gone" } });

const hardware: Auxiliary["hardware.list"] = async () => ({ status: 200, body: { hardware: [] } });

// @ts-expect-error A service without one of its operations.
export const missing: Auxiliary = { "hardware.list": hardware };

// An operation without a handler yet returns an example, and is declared here.
declare const others: Omit<Auxiliary, "hardware.list" | "objects.read">;
export const some: Auxiliary = { ...others, "hardware.list": hardware, "objects.read": byExample };

export const stale: Auxiliary = {
  ...some,
  // @ts-expect-error No operation of the service has that name.
  "objects.write": byExample,
};

type Inference = Handlers<"inference">;
export const coded: Inference["models.list"] = async () => refuse(503, "later", { code: "overloaded" });
// @ts-expect-error The document has no such code.
export const misspelt: Inference["models.list"] = async () => refuse(503, "later", { code: "overlaoded" });
// @ts-expect-error This code is of another document.
export const foreign: Auxiliary["objects.read"] = async () => refuse(404, "gone", { code: "model_not_found" });
