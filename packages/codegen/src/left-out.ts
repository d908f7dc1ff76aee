import { joinPointer, memberAt, pointerTokens } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { type OpenApiDocument, wholeOf, wholesIn } from "@trainyard/document/files";
import type { OperationFault } from "./operation-info.ts";

/** What is left out because of one fault. */
export interface LeftOut {
  /** `GET /pets/{id}`; a component, such as `#/components/schemas/Pet`, if no operation refers to it. */
  readonly what: readonly string[];
  readonly fault: OperationFault;
}

/** A copy of a document without the operations and components that have faults, or refer to those that have. */
export function leaveOut(
  document: OpenApiDocument,
  faults: readonly OperationFault[],
): { readonly document: OpenApiDocument; readonly leftOut: readonly LeftOut[] } {
  const copy = structuredClone(document);
  const { operations } = readDocument(copy);
  const sections: [string, object][] = Object.entries(copy.components ?? {}).map(([name, all]) => [name, all ?? {}]);
  const users = new Map<string, string[]>();
  const addUser = (user: string, used: string): unknown => users.set(used, [...(users.get(used) ?? []), user]);
  const addReferences = (user: string, part: unknown): void => {
    for (const used of wholesIn(part)) addUser(user, used);
  };
  for (const [section, members] of sections)
    for (const [name, member] of Object.entries(members)) addReferences(wholeOf(["components", section, name]), member);
  for (const { path, key, node, item, security } of operations) {
    const user = wholeOf(["paths", path, key]);
    addReferences(user, node);
    addReferences(user, item.node["parameters"]);
    addUser(user, wholeOf(["paths", path]));
    for (const { pointer } of security.flat()) addUser(user, wholeOf(pointerTokens(pointer)));
  }
  const broken = new Map(faults.toReversed().map((fault) => [wholeOf(fault.pointer), fault]));
  // A map yields what is added meanwhile.
  for (const [key, fault] of broken)
    for (const user of users.get(key) ?? []) if (!broken.has(user)) broken.set(user, fault);
  for (const [section, members] of sections)
    for (const name of Object.keys(members))
      if (broken.has(wholeOf(["components", section, name]))) Reflect.deleteProperty(members, name);
  const names = new Map<OperationFault, string[]>();
  for (const { path, key, method, item } of operations) {
    const fault = broken.get(wholeOf(["paths", path, key]));
    if (fault === undefined) continue;
    delete item.node[key];
    names.set(fault, [...(names.get(fault) ?? []), `${method} ${path}`]);
  }
  for (const fault of broken.values()) if (!names.has(fault)) names.set(fault, [wholeOf(fault.pointer)]);
  // Otherwise what has the fault would be left out again and again.
  const lasting = faults.find(({ pointer }) => pointer.length > 2 && memberAt(copy, pointer.slice(0, 3)));
  if (lasting) throw new Error(`${joinPointer("#", ...lasting.pointer)} cannot be left out: ${lasting.message}`);
  return { document: copy, leftOut: [...names].map(([fault, what]) => ({ what, fault })) };
}
