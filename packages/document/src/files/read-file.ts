import { relative, resolve, sep } from "node:path";
import { isObject, pointerTokens } from "@trainyard/core/validation";
import {
  dialect,
  dialectFault,
  readDocument,
  unsupportedIn,
  type DerivedFact,
  type Document,
  type Unsupported,
} from "../index.ts";
import { schemaCircles } from "./circles.ts";
import type { OpenApiDocument } from "./document.ts";
import { type End, type FileLocation, Locator } from "./locate.ts";
import { applyOverlay, type Overlay, type OverlayAction } from "./overlay.ts";
import { DocumentError, type Problem } from "./problem.ts";
import { readBundle } from "./read-bundle.ts";
import { bundleFault, documentBegins, readSources } from "./references.ts";

export interface ReadOptions {
  /** The folder below which `$ref`s stay, and from which paths are given. Default: the working directory. */
  readonly root?: string;
  /** What `$ref`s may lead to beyond that: folders, and addresses or their beginnings. */
  readonly allow?: readonly string[];
  /** Applied to the document as it is written, in this order. */
  readonly overlays?: readonly Overlay[];
  /** Gets the actions of overlays whose target the document has. */
  readonly matched?: Set<OverlayAction>;
}

/** A document of one file, and what is different from the file. */
export interface ReadFile {
  readonly document: OpenApiDocument;
  /** The document as readers have it, which is read once. */
  readonly read: Document;
  /** Sentences with their places, which are found when they are read. */
  readonly notes: readonly string[];
  /** How many notes there are. */
  readonly noteCount: number;
  /** Further sentences, for who asks for every detail: the formats that are not validated. */
  readonly details: readonly string[];
  /** Finds a value of the document in its files. */
  readonly locate: (pointer: readonly string[], end?: End) => FileLocation;
  /** The components that do not have the name of their file, because another file has it, too. */
  readonly derived: readonly DerivedFact[];
}

/**
 * Reads anybody's OpenAPI document, in YAML or JSON, of one file or several, into one bundle in OpenAPI 3.1 without references
 * to files.
 *
 * @throws {@link DocumentError} if it cannot be read, or is no OpenAPI document.
 */
export async function readFile(path: string, options: ReadOptions = {}): Promise<ReadFile> {
  const { root = process.cwd(), allow, overlays = [], matched } = options;
  const source = relative(root, resolve(root, path)).split(sep).join("/");
  const sources = await readSources(root, source, allow);
  const locator = new Locator(root, sources);
  const whole = sources.get(source);
  const fault = faultOf(whole);
  if (fault) throw new DocumentError([{ ...locator.locate(source, fault.keys), ...fault.problem }]);
  const derived: DerivedFact[] = [];
  // Redocly is loaded for a document of several files alone, and the upgrader for one of 3.0.
  let bundled =
    sources.size > 1
      ? await (await import("./bundle.ts")).bundle(root, source, { strict: false, derived })
      : readBundle(whole, source);
  for (const overlay of overlays) {
    bundled = readBundle(JSON.parse(JSON.stringify(applyOverlay(bundled, overlay, matched))), overlay.file);
    const strange = bundleFault(root, source, bundled);
    if (strange) throw new DocumentError([{ file: overlay.file, ...strange }]);
  }
  const circles = schemaCircles(locator, source, bundled);
  if (circles.length > 0) throw new DocumentError(circles);
  const upgraded = bundled.openapi.startsWith("3.0") ? (await import("../upgrade.ts")).upgrade(bundled) : undefined;
  const document = upgraded === undefined ? bundled : readBundle(upgraded.document, source);
  // Not every reader of a document says what is different, and a large one takes a second.
  let read: Document | undefined;
  const readOnce = (): Document => (read ??= readDocument(document));
  let all: Unsupported[] | undefined;
  const partsOf = (isDetail: boolean): Unsupported[] =>
    (all ??= unsupportedIn(readOnce())).filter((one) => (one.isDetail ?? false) === isDetail);
  const sentencesOf = (isDetail: boolean): string[] =>
    partsOf(isDetail).map(({ pointer, message, cure }) => {
      const { file, line = 1 } = locator.locate(source, pointerTokens(pointer));
      return `${source}${pointer}: ${message} ${cure} (${file}:${line})`;
    });
  return {
    document,
    get read() {
      return readOnce();
    },
    get notes() {
      return [...(upgraded?.notes ?? []).map((note) => `${source}${note}`), ...sentencesOf(false)];
    },
    get noteCount() {
      return (upgraded?.notes.length ?? 0) + partsOf(false).length;
    },
    get details() {
      return sentencesOf(true);
    },
    derived,
    locate: (...place) => locator.locate(source, ...place),
  };
}

/** Why a file is no document that can be read, and the keys of the place. */
function faultOf(
  value: unknown,
): { readonly problem: Pick<Problem, "message" | "cure">; readonly keys: string[] } | undefined {
  const fault = (message: string, cure: string, ...keys: string[]) => ({ problem: { message, cure }, keys });
  if (!isObject(value)) return fault("This is not an OpenAPI document: it is no object.", documentBegins);
  const { swagger, openapi } = value;
  if (swagger !== undefined) {
    const cure = "Convert it to OpenAPI 3 first, for example with `npx swagger2openapi`.";
    return fault(
      `This is a document of Swagger ${JSON.stringify(swagger).replaceAll('"', "")}, which is not supported.`,
      cure,
      "swagger",
    );
  }
  if (openapi === undefined) return fault("This is not an OpenAPI document: it has no `openapi`.", documentBegins);
  if (typeof openapi !== "string" || !/^3\.[012]\.\d/.test(openapi)) {
    const cure = "Write `openapi: 3.1.0`, if it is a document of this version.";
    return fault(
      `\`openapi\` is ${JSON.stringify(openapi)}, and not 3.0, 3.1 or 3.2 with three numbers.`,
      cure,
      "openapi",
    );
  }
  const { info, paths, components, webhooks } = value;
  const { version, title = "" } = Object(info);
  const cure = 'Give it `info: { title: Pets, version: "1.0.0" }`, and `paths`.';
  if (typeof version !== "string" || typeof title !== "string") {
    const key = typeof version === "string" ? "title" : "version";
    return fault(`This is not an OpenAPI document: its \`info.${key}\` is missing, or no text.`, cure, "info", key);
  }
  if (!isObject(paths ?? components ?? webhooks))
    return fault("This is not an OpenAPI document: it has no paths, components or webhooks.", cure, "paths");
  const unknown = dialectFault(value);
  return unknown && fault(unknown.message, unknown.cure, dialect.version.key);
}
