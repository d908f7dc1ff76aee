/** Where the facts of the documents come from, as `pnpm contract:basis` lists them. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../places.ts";
import { operationsOf, type Document } from "./document.ts";
import { isObject, objectAt, stringAt, type Json, type JsonObject } from "./json.ts";

export interface BasisFact {
  readonly basis: string;
  /** The operation or component that the fact belongs to. */
  readonly owner: string;
  /** The part of it; empty for all of it. */
  readonly part: string;
  /** The file that says so, in the repository. */
  readonly file: string;
  /** What stands behind the `#` of its place in the reference, where it has one. */
  readonly anchor?: string;
}

/** Begins to list the facts of all documents, by service. */
export async function readBasis(documents: readonly Document[]): Promise<Map<string, BasisFact[]>> {
  const command = [join(root, "packages/contract/src/cli.ts"), "basis", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", ...command], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const report: Json = JSON.parse(stdout);
  const services = isObject(report) && Array.isArray(report["services"]) ? report["services"] : [];
  return new Map(
    services.filter(isObject).map((service) => {
      const name = stringAt(service, "service") ?? "";
      const document = documents.find((one) => one.service === name);
      const facts = Array.isArray(service["facts"]) ? service["facts"].filter(isObject) : [];
      return [name, facts.map((fact) => factOf(fact, document))];
    }),
  );
}

function factOf(fact: JsonObject, document: Document | undefined): BasisFact {
  const place = stringAt(fact, "place") ?? "";
  const schema = /^([A-Z]\w*)(?:\.(.*))?$/.exec(place);
  const [owner = "", ...parts] = schema === null ? place.split(" › ") : [schema[1], schema[2] ?? ""];
  const operation =
    document && operationsOf(document).find(({ method, verb, path }) => owner === (method ?? `${verb} ${path}`));
  const anchor = operation?.anchor ?? (schema === null ? undefined : `/schemas/${owner.toLowerCase()}`);
  return {
    basis: stringAt(fact, "basis") ?? "",
    owner: owner === "info" ? "the version of the document" : (operation?.method ?? owner),
    part: parts.filter((part) => part !== "").join(" › "),
    file: stringAt(fact, "file") ?? "",
    ...(anchor === undefined ? {} : { anchor }),
  };
}

/** How many facts there are of each basis. */
export function countBasis(facts: readonly BasisFact[]): {
  all: number;
  interface: number;
  adopted: number;
  proposed: number;
} {
  const count = (basis: string): number => facts.filter((fact) => fact.basis === basis).length;
  return { all: facts.length, interface: count("interface"), adopted: count("adopted"), proposed: count("proposed") };
}

/** The named examples of what an operation answers, by name. */
export function answersOf(document: JsonObject, path: string, verb: string): Record<string, JsonObject> {
  const operation = objectAt(objectAt(objectAt(document, "paths"), path), verb);
  const json = objectAt(objectAt(objectAt(objectAt(operation, "responses"), "200"), "content"), "application/json");
  const answers: Record<string, JsonObject> = {};
  for (const [name, example] of Object.entries(objectAt(json, "examples"))) {
    if (!isObject(example)) continue;
    const reference = stringAt(example, "$ref")?.split("/").at(-1);
    const named =
      reference === undefined ? example : objectAt(objectAt(objectAt(document, "components"), "examples"), reference);
    answers[name] = objectAt(named, "value");
  }
  return answers;
}
