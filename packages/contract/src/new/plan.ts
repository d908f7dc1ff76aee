import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findServices } from "@trainyard/document/files";
import { Failure } from "../failure.ts";
import { type JsonObject } from "../json.ts";
import { isObject } from "@trainyard/core/validation";
import { readYaml } from "./yaml.ts";

/** Resolves a `$ref` relative to its file: the schema there, and the resolver for references in it. */
export type Follow = (target: string) => { readonly schema: JsonObject; readonly follow: Follow };

/** Values of a template by name; an empty text or `false` omits the sections of that name. */
export type Values = Readonly<Record<string, string | boolean>>;

/**
 * Files to write, once everything was checked. Reading returns planned contents, so that one part can build on another.
 * Paths are relative to the root, with `/`.
 */
export class Plan {
  readonly root: string;
  /** The planned contents by file. */
  readonly files: Map<string, string> = new Map();
  /** Notes for the user, as sentences. */
  readonly notes: string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  /** Whether a file or a folder of that name exists. */
  has(file: string): boolean {
    return this.files.has(file) || existsSync(join(this.root, file));
  }

  /** @throws {@link Failure} if the file is missing */
  read(file: string): string {
    if (!this.has(file)) throw new Failure(`${file} is required, but does not exist.`);
    return this.files.get(file) ?? readFileSync(join(this.root, file), "utf8");
  }

  yaml(file: string): JsonObject {
    return readYaml(this.read(file), file);
  }

  /** The names of the files in a folder; empty if the folder does not exist. */
  list(folder: string): string[] {
    const path = join(this.root, folder);
    return existsSync(path) ? readdirSync(path).sort() : [];
  }

  follow(folder: string): Follow {
    return (target) => {
      const file = posix.join(folder, target.split("#")[0] ?? "");
      return { schema: this.yaml(file), follow: this.follow(posix.dirname(file)) };
    };
  }

  /** @throws {@link Failure} if the file exists: existing files are never overwritten */
  create(file: string, text: string): void {
    if (this.has(file)) throw new Failure(`${file} already exists. Choose another name, or edit that file.`);
    this.files.set(file, text);
  }

  edit(file: string, change: (text: string) => string): void {
    const before = this.read(file);
    const text = change(before);
    if (text !== before) this.files.set(file, text);
  }

  /**
   * Plans the files of a template of `templates/`. Each begins with a line of `===` and its path. `{{name}}` stands for a
   * value, and `{{#name}}…{{/name}}` is omitted if the value is empty.
   */
  fill(template: string, values: Values): void {
    const text = readFileSync(new URL(`templates/${template}.txt`, import.meta.url), "utf8")
      .replaceAll(/^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\1\}\}\n/gm, (_, key: string, part: string) =>
        values[key] ? part : "",
      )
      .replaceAll(/\{\{#(\w+)\}\}([^]*?)\{\{\/\1\}\}/g, (_, key: string, part: string) => (values[key] ? part : ""))
      // A value of several lines is indented like the first.
      .replaceAll(
        /^( *)(.*?)\{\{(\w+)\}\}$/gm,
        (_, indent: string, before: string, key: string) =>
          `${indent}${before}${String(values[key] ?? "").replaceAll("\n", `\n${indent}`)}`,
      )
      .replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => String(values[key] ?? ""));
    for (const part of text.split(/^=== /m).slice(1)) {
      const end = part.indexOf("\n");
      this.create(part.slice(0, end), part.slice(end + 1));
    }
  }

  /** Writes all files. If one cannot be written, those before it are restored. */
  apply(): void {
    const undo: (() => void)[] = [];
    try {
      for (const [file, text] of this.files) {
        const path = join(this.root, file);
        const before = existsSync(path) ? readFileSync(path) : undefined;
        const made = mkdirSync(dirname(path), { recursive: true });
        undo.push(() =>
          before === undefined ? rmSync(made ?? path, { recursive: true, force: true }) : writeFileSync(path, before),
        );
        writeFileSync(path, text);
      }
    } catch (error) {
      for (const step of undo.toReversed()) step();
      throw error;
    }
  }
}

/** @throws {@link Failure} if the service does not exist */
export function requireService(plan: Plan, service: string): void {
  if (plan.has(`openapi/${service}/openapi.yaml`)) return;
  throw new Failure(`There is no service "${service}". The services are: ${findServices(plan.root).join(", ")}.`);
}

/** The operations of a service's document, each with its file. */
export function operationsOf(
  plan: Plan,
  service: string,
): { readonly verb: string; readonly path: string; readonly file: string; readonly operation: JsonObject }[] {
  const { paths } = plan.yaml(`openapi/${service}/openapi.yaml`);
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([verb, entry]) => {
      const target = isObject(entry) ? entry["$ref"] : undefined;
      if (typeof target !== "string") return [];
      const file = `openapi/${service}/${target}`;
      return [{ verb, path, file, operation: plan.yaml(file) }];
    }),
  );
}
