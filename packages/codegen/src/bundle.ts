import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { asOpenApi31, asOpenApi32, describeRules } from "@trainyard/document";
import { canonical } from "./canonical.ts";
import { schemaCircles } from "./circles.ts";
import type { OpenApiDocument } from "./document.ts";
import { applyOverlay, type Overlay, type OverlayAction } from "./overlay/overlay.ts";
import { explain, explainRoot } from "./explain.ts";
import { DocumentError, type Problem } from "./problem.ts";
import { allProblems, type Run, warmRedocly } from "./redocly/command.ts";

/**
 * A separate configuration, without the repository's style rules and the site's decorators, but with the rules that code
 * generation depends on.
 */
const configuration = `telemetry: off
extends: []
rules:
  struct: error
  no-unresolved-refs: error
  operation-operationId-unique: error
`;

/** Shared by all bundles. */
const redocly = warmRedocly();

export interface BundleOptions {
  /** The text of an earlier bundle. If the new one is identical, it is not validated again. */
  readonly earlier?: string | undefined;
  /** Applied to the document in this order, if they extend this service. */
  readonly overlays?: readonly Overlay[];
  /** Gets the actions of overlays whose target the document has. */
  readonly matched?: Set<OverlayAction>;
}

/**
 * Bundles the documents of a service: every `$ref` to a file becomes a component named after that file. The order of
 * components and keywords does not depend on the files. Descriptions include the rules of what they describe, because other
 * tools read nothing else. Documents in OpenAPI 3.2 are converted to 3.1.
 *
 * @throws {@link DocumentError} if a file is missing or not valid YAML or OpenAPI, if two files have the same component
 * name, or if a reference or a schema leads back to itself.
 */
export async function bundle(root: string, service: string, options: BundleOptions = {}): Promise<OpenApiDocument> {
  const { earlier, overlays = [], matched } = options;
  const source = `openapi/${service}/openapi.yaml`;
  const folder = await mkdtemp(join(tmpdir(), "trainyard-bundle-"));
  try {
    const config = join(folder, "redocly.yaml");
    const output = join(folder, "bundle.json");
    await writeFile(config, configuration);
    const clash = ["--component-renaming-conflicts-severity", "error"];
    const lint = ["lint", source, "--config", config, allProblems];
    const bundled = redocly(["bundle", source, "--config", config, ...clash, "-o", output], root);
    // This command shows no more than a hundred problems.
    if ((await bundled).text.includes("more problems hidden")) await must(redocly(lint, root), root, source);
    await must(bundled, root, source);
    let document = readBundle(await readFile(output, "utf8"), source);
    if (bundleText(document) !== earlier) await must(redocly(lint, root), root, source);
    for (const overlay of overlays) {
      if ((overlay.service ?? service) !== service) continue;
      document = readBundle(bundleText(applyOverlay(document, overlay, matched)), overlay.file);
      await writeFile(output, bundleText(document));
      const { code, text } = await redocly(["lint", output, "--config", config, allProblems], root);
      if (code !== 0) throw new DocumentError(afterOverlay(readProblems(text, overlay.file, folder), overlay, service));
    }
    const circles = schemaCircles(root, service, document);
    if (circles.length > 0) throw new DocumentError(circles);
    return document;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A bundle in OpenAPI 3.2, for tools that read the events of a stream there. */
export function inOpenApi32(document: OpenApiDocument): OpenApiDocument {
  return canonical(asOpenApi32(document));
}

/** The text of a bundle. */
export function bundleText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** @throws {@link DocumentError} with the problems that Redocly reports. */
async function must(running: Promise<Run>, root: string, source: string): Promise<void> {
  const { code, text } = await running;
  if (code !== 0) throw new DocumentError(readProblems(text, source, root));
}

/** A problem that an overlay causes is reported at the overlay. */
function afterOverlay(problems: readonly Problem[], { file }: Overlay, service: string): Problem[] {
  return problems.map(({ message, cure }) => ({
    file,
    message: `With this overlay, openapi/${service} is no longer valid: ${message}`,
    cure,
  }));
}

/** Redocly prints `[1] file:line:column at #/pointer`, an empty line, the message, and then lines of the file. */
export function readProblems(text: string, source: string, root: string): Problem[] {
  const problems = new Map<string, Problem>();
  const unparsed = new Map<string, Problem>();
  const blocks = /^\[\d+\] (.+?):(\d+):(\d+)(?: at \S+)? *\n\n([^]*?)\n\n(?:Did you mean: (.+?) *\?)?/gm;
  for (const [, file = source, line, column, raw = "", instead] of text.matchAll(blocks)) {
    const { broken, ...explained } = explain(raw, root, instead);
    const at = broken ?? { file: file.split(sep).join("/"), line: Number(line), column: Number(column) };
    if (broken) unparsed.set(`${at.file}:${at.line}`, { ...at, ...explained });
    else problems.set(`${file}:${line}:${column}`, { ...at, ...explained });
  }
  // Problems that follow from an invalid YAML file are not reported beside it.
  if (unparsed.size > 0) return [...unparsed.values()];
  if (problems.size > 0) return [...problems.values()];
  return [explainRoot(text, source, root)];
}

/** Reads a bundle and sorts it. */
export function readBundle(text: string, source: string): OpenApiDocument {
  const parsed: unknown = JSON.parse(text);
  const missing = ["openapi", "info", "paths"].filter((key) => !isObject(parsed) || parsed[key] === undefined);
  if (!isDocument(parsed)) {
    throw new DocumentError([
      {
        file: source,
        message: `This is not an OpenAPI document${missing.length > 0 ? `: it has no ${missing.join(", ")}` : ""}.`,
        cure: "Give it `openapi: 3.1.0`, `info` with a title and a version, and `paths`.",
      },
    ]);
  }
  return canonical(describeRules(asOpenApi31(parsed)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDocument(value: unknown): value is OpenApiDocument {
  if (!isObject(value) || typeof value["openapi"] !== "string" || !isObject(value["paths"])) return false;
  const info = value["info"];
  return isObject(info) && typeof info["version"] === "string" && typeof info["title"] === "string";
}
