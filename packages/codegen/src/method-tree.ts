import { forbiddenMethodParts, methodPart, pascalCase } from "@trainyard/document";
import type { OperationFault, OperationInfo } from "./operation-info.ts";

/** A group of methods: `models`, with the methods `create` and `delete` and the group `checkpoints`. */
export interface MethodGroup {
  /** With dots: `models.checkpoints`; empty for the client itself. */
  readonly name: string;
  /** `ModelsCheckpointsMethods`. */
  readonly typeName: string;
  readonly methods: Map<string, OperationInfo>;
  readonly groups: Map<string, MethodGroup>;
}

/** The operations as methods of a client, and names that conflict. */
export function methodTree(operations: readonly OperationInfo[]): { root: MethodGroup; faults: OperationFault[] } {
  const root = newGroup("");
  const faults: OperationFault[] = [];
  for (const operation of operations) {
    const { name, path, method } = operation;
    const fault = (message: string, cure: string): void => {
      faults.push({ pointer: ["paths", path, method, "x-client-method"], message, cure });
    };
    const wrong = name.split(".").find((part) => !methodPart.test(part) || forbiddenMethodParts.has(part));
    if (wrong !== undefined) {
      const cure =
        "Write a group and a verb in camel case, `models.create`; then, constructor, http and __proto__ are taken.";
      fault(`${name} cannot be the name of a method: "${wrong}" cannot be a part of it.`, cure);
      continue;
    }
    addMethod(root, name, operation, fault);
  }
  return { root, faults };
}

function addMethod(
  root: MethodGroup,
  name: string,
  operation: OperationInfo,
  fault: (message: string, cure: string) => void,
): void {
  const parts = name.split(".");
  let current = root;
  for (const part of parts.slice(0, -1)) {
    if (current.methods.has(part)) {
      const cure = `Rename one of them: a method cannot also be a group of methods.`;
      fault(`${name} is in ${join(current.name, part)}, which is itself a method.`, cure);
      return;
    }
    const next = current.groups.get(part) ?? newGroup(join(current.name, part));
    current.groups.set(part, next);
    current = next;
  }
  const verb = parts.at(-1) ?? "";
  if (current.groups.has(verb)) {
    fault(`${name} is also a group of methods.`, "Rename one of them: a group cannot also be a method.");
  } else if (current.methods.has(verb)) {
    const places = [current.methods.get(verb), operation].map((one) => `${one?.operation.method} ${one?.path}`);
    const cure = "Give each operation a method name of its own.";
    fault(`Two operations have the method ${name}: ${places.join(" and ")}.`, cure);
  } else {
    current.methods.set(verb, operation);
  }
}

/** Every group below, in the order of the document, children before their parents. */
export function groupsOf({ groups }: MethodGroup): MethodGroup[] {
  return [...groups.values()].flatMap((child) => groupsOf(child).concat(child));
}

function newGroup(name: string): MethodGroup {
  return { name, typeName: `${pascalCase(name)}Methods`, methods: new Map(), groups: new Map() };
}

function join(group: string, part: string): string {
  return group === "" ? part : `${group}.${part}`;
}
