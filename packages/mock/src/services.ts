import { createRequire } from "node:module";
import type { operations as auxiliary, paths as AuxiliaryPaths } from "@trainyard/auxiliary";
import type {
  ChatCompletionChunk as InferenceChunk,
  operations as inference,
  paths as InferencePaths,
} from "@trainyard/inference";
import type {
  ChatCompletionChunk as TrainingChunk,
  operations as training,
  paths as TrainingPaths,
} from "@trainyard/training";
import type { ContractOf } from "./operation-types.ts";

/**
 * The services that a mock knows by name, with the types of their operations. Another service is taken by its document; its
 * types can be added here by augmentation.
 */
export interface Services {
  training: ContractOf<typeof training, TrainingPaths, TrainingChunk>;
  inference: ContractOf<typeof inference, InferencePaths, InferenceChunk>;
  auxiliary: ContractOf<typeof auxiliary, AuxiliaryPaths, never>;
}

/** The name of a service that a mock knows. */
export type ServiceName = Extract<keyof Services, string>;

/** The names of a service's operations: `models.create`. */
export type OperationName<Name extends ServiceName> = Extract<keyof Services[Name], string>;

const require = createRequire(import.meta.url);

// Not an import: the type of a whole document would cost every program that uses a mock.
const documents: Record<string, () => unknown> = {
  training: () => require("@trainyard/training/openapi.json"),
  inference: () => require("@trainyard/inference/openapi.json"),
  auxiliary: () => require("@trainyard/auxiliary/openapi.json"),
};

/** The names of the services that come with the package. */
export const serviceNames: readonly ServiceName[] = ["training", "inference", "auxiliary"];

/**
 * The document of a service that comes with the package.
 * @throws Error for another name
 */
export function documentOf(name: string): object {
  const document = documents[name]?.();
  if (typeof document === "object" && document !== null) return document;
  throw new Error(`There is no service "${name}". There are: ${serviceNames.join(", ")}; or give a document.`);
}
