import type { Handlers, OperationName, OperationNames } from "./service-types.ts";
import { refuse } from "./refusal.ts";

type Training = Handlers<"training">;
type Auxiliary = Handlers<"auxiliary">;

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

// A status that the document declares, with the body that it declares for it.
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

// @ts-expect-error A count is no text.
export const wrong: Training["models.delete"] = async () => ({
  status: 200,
  body: { model_id: id, deleted_checkpoints: "1", deleted_run: false },
});

// @ts-expect-error Only chat streams.
export const stream: Training["models.delete"] = async () => ({ stream: new ReadableStream<Uint8Array>() });

// @ts-expect-error The body of an error is that of its service.
export const style: Auxiliary["objects.read"] = async () => ({ status: 404, body: { detail: "gone" } });

// @ts-expect-error A service without one of its operations.
export const missing: Auxiliary = { "hardware.list": async () => ({ status: 200, body: { hardware: [] } }) };

const hardware: Auxiliary["hardware.list"] = async () => ({ status: 200, body: { hardware: [] } });
type Some = Handlers<"auxiliary", Exclude<OperationName<"auxiliary">, "hardware.list">>;

// An operation that is not served yet needs no handler.
export const some: Some = { "hardware.list": hardware };

// @ts-expect-error It stands in the list of those that are not served, and has a handler.
export const both: Some = { "hardware.list": hardware, "objects.read": async () => refuse(404, "gone") };

export const names: OperationNames = { training: ["models.delete"], inference: [], auxiliary: [] };

// @ts-expect-error No operation of the service has that name.
export const stale: OperationNames = { training: ["objects.read"], inference: [], auxiliary: [] };
