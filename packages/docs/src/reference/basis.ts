/** The sources of the facts of the documents, as `pnpm contract basis` lists them. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../places.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { textAt } from "./node.ts";
import type { Service } from "./services.ts";

export interface BasisFact {
  readonly basis: string;
  /** The operation or component that the fact belongs to. */
  readonly owner: string;
  /** The part of it; empty if the fact is about all of it. */
  readonly part: string;
  /** The fact in a sentence. */
  readonly sentence: string;
  /** What a program should do so that it works either way. */
  readonly advice: string;
  /** The file in the repository that has the fact. */
  readonly file: string;
  /** Its page in the reference, if it has one. */
  readonly href?: string;
}

/** Lists the facts of all documents, by service. */
export async function readBasis(services: readonly Service[]): Promise<Map<string, BasisFact[]>> {
  const command = [join(root, "packages/contract/src/cli.ts"), "basis", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", ...command], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const report: unknown = JSON.parse(stdout);
  return new Map(
    objectsAt(report, "services").map((entry) => {
      const service = services.find(({ name }) => name === entry["service"]);
      return [textAt(entry, "service"), objectsAt(entry, "facts").map((fact) => factOf(fact, service))];
    }),
  );
}

function factOf(fact: JsonObject, service: Service | undefined): BasisFact {
  const place = textAt(fact, "place");
  const schema = /^([A-Z]\w*)(?:\.(.*))?$/.exec(place);
  const [owner = "", ...parts] = schema === null ? place.split(" › ") : [schema[1], schema[2] ?? ""];
  const operation = service?.document.operations.find(
    ({ clientMethod, method, path }) => owner === (clientMethod ?? `${method} ${path}`),
  );
  const href = service && hrefOf(service, operation, schema === null ? undefined : owner);
  return {
    basis: textAt(fact, "basis"),
    owner: owner === "info" ? "the version of the document" : (operation?.clientMethod ?? owner),
    part: parts.filter((part) => part !== "").join(" › "),
    ...wordsOf(fact, parts.filter((part) => part !== "").join(" › ")),
    file: textAt(fact, "file"),
    ...(href === undefined ? {} : { href }),
  };
}

/** The sentence for each kind of fact, and what to do about it. */
const subjects: Readonly<Record<string, readonly [sentence: (part: string) => string, advice: string]>> = {
  document: [() => "The version number of the document is our own.", "Do not compare it with versions of a service."],
  operation: [() => "The operation exists.", "Be ready for 404."],
  request: [() => "The body of the request has this form.", "Send no more than you need."],
  response: [
    (part) => `The response ${part} has this form.`,
    "Check the parts that you read, or use the validators of the client.",
  ],
  header: [() => "The header exists.", "Treat it as optional."],
  parameter: [(part) => `The parameter ${part} exists.`, "Do not depend on its effect."],
  property: [(part) => `The property ${part} exists and has this meaning.`, "Treat it as optional."],
  schema: [() => "The schema has this form.", "Read only the properties that you need."],
  rule: [() => "", "Handle the other outcome as well."],
};

function wordsOf(fact: JsonObject, part: string): Pick<BasisFact, "sentence" | "advice"> {
  const [sentence, advice] = subjects[textAt(fact, "subject")] ?? [
    () => `${part} is as the document says.`,
    "Be ready for a change.",
  ];
  return { sentence: textAt(fact, "text") || sentence(part), advice };
}

function hrefOf(service: Service, operation: Operation | undefined, schema: string | undefined): string | undefined {
  if (operation !== undefined) return operationAddress(service, operation);
  const isNamed = schema !== undefined && service.document.schemas.has(schema);
  return isNamed ? schemaAddress(service, schema) : undefined;
}

function objectsAt(holder: unknown, key: string): JsonObject[] {
  const list = isObject(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The number of facts with each basis. */
export function countBasis(facts: readonly BasisFact[]): {
  all: number;
  interface: number;
  adopted: number;
  proposed: number;
} {
  const count = (basis: string): number => facts.filter((fact) => fact.basis === basis).length;
  return { all: facts.length, interface: count("interface"), adopted: count("adopted"), proposed: count("proposed") };
}
