import { realpathSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, sep } from "node:path";
import { memberAt } from "@trainyard/core/validation";
import { asOpenApi32, dialect, dialectFault, type DerivedFact } from "../index.ts";
import { canonical } from "./canonical.ts";
import { nameComponents } from "./component-names.ts";
import { schemaCircles } from "./circles.ts";
import type { OpenApiDocument } from "./document.ts";
import { applyOverlay } from "./overlay.ts";
import { explain, explainRoot } from "./explain.ts";
import { Locator } from "./locate.ts";
import { DocumentError, type Problem } from "./problem.ts";
import { readBundle } from "./read-bundle.ts";
import type { ReadOptions } from "./read-file.ts";
import { allProblems, type Run, warmRedocly } from "./redocly/command.ts";
import { filesKey } from "./redocly/files.ts";
import { parseFile, readSources } from "./references.ts";
import { sourceOf } from "./tree.ts";

/**
 * A separate configuration, without the repository's style rules and the site's decorators, but with the rules that code
 * generation depends on.
 */
const configuration = `telemetry: off
extends: []
plugins: [${JSON.stringify(join(import.meta.dirname, `redocly/files${extname(import.meta.filename)}`))}]
decorators: { trainyard/files: on }
rules:
  struct: error
  no-unresolved-refs: error
`;

/** Shared by all bundles. */
const redocly = warmRedocly();

/** Overlays are applied if they extend this service. */
export interface BundleOptions extends Pick<ReadOptions, "overlays" | "matched"> {
  /** The text of an earlier bundle. If the new one is identical, it is not validated again. */
  readonly earlier?: string | undefined;
  /** Whether to check each part, and for circles of schemas. Default: true. Other people's documents have formal faults. */
  readonly strict?: boolean;
  /** Gets the components that do not have the name of their file, because another file has it, too. */
  readonly derived?: DerivedFact[];
}

/**
 * Bundles a document with the files that it refers to: every `$ref` to a file becomes a component named after that file, or
 * after its folder, too, if two files have one name. The order of components and keywords does not depend on the files. Descriptions include the rules of what they describe, because other
 * tools read nothing else. Documents in OpenAPI 3.2 are converted to 3.1.
 *
 * @param source the path of the document, relative to the root
 * @throws {@link DocumentError} if a file is missing or not valid YAML or OpenAPI, or if a reference or a schema leads back to itself.
 */
export async function bundle(root: string, source: string, options: BundleOptions = {}): Promise<OpenApiDocument> {
  const { earlier, overlays = [], matched, strict = true, derived } = options;
  const folder = await mkdtemp(join(tmpdir(), "trainyard-bundle-"));
  try {
    const config = join(folder, "redocly.yaml");
    const output = join(folder, "bundle.json");
    await writeFile(config, configuration);
    const clash = ["--component-renaming-conflicts-severity", "off"];
    const lint = ["lint", source, "--config", config, allProblems];
    const bundled = redocly(["bundle", source, "--config", config, ...clash, "-o", output], root);
    // This command shows no more than a hundred problems.
    if ((await bundled).text.includes("more problems hidden")) await must(redocly(lint, root), root, source);
    await must(bundled, root, source);
    const { [filesKey]: files, ...parsed } = JSON.parse(await readFile(output, "utf8"));
    // Redocly reads 1.0 as the number 1.
    if (typeof parsed.info?.version === "number") parsed.info = memberAt(parseFile(root, source), ["info"]);
    const fault = dialectFault(parsed);
    if (fault !== undefined) {
      const place = new Locator(root).locate(source, [dialect.version.key]);
      throw new DocumentError([{ ...place, ...fault }]);
    }
    const named = nameComponents(readBundle(parsed, source), files, { root: realpathSync(root), source });
    derived?.push(...named.derived);
    let document = canonical(named.document);
    if (strict && bundleText(document) !== earlier) await must(redocly(lint, root), root, source);
    for (const overlay of overlays) {
      if (overlay.service !== undefined && sourceOf(overlay.service) !== source) continue;
      document = readBundle(JSON.parse(bundleText(applyOverlay(document, overlay, matched))), overlay.file);
      await writeFile(output, bundleText(document));
      const { code, text } = await redocly(["lint", output, "--config", config, allProblems], root);
      const { file } = overlay;
      const said = `With this overlay, ${source} is no longer valid:`;
      const problems = code === 0 ? [] : readProblems(text, file, folder);
      // A problem that an overlay causes is reported at the overlay.
      if (code !== 0)
        throw new DocumentError(problems.map(({ message, cure }) => ({ file, message: `${said} ${message}`, cure })));
    }
    const circles = strict ? schemaCircles(new Locator(root), source, document) : [];
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
  // Redocly reports a circle without a place, and an empty file where something refers to it.
  if (/Self-referencing circular pointer|Can't resolve \$ref\n|got undefined$|got `null`/m.test(text))
    await readSources(root, source);
  if (code !== 0) throw new DocumentError(readProblems(text, source, root));
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
