import { type Json, isObject } from "../json.ts";
import type { Source } from "./source.ts";
import { capital } from "./naming.ts";
import { insertYaml } from "./yaml.ts";

/** Inserts a path after the last one with the same beginning. */
export function withPath(source: Source, text: string, path: string, entry: string): string {
  const { paths } = source.read("openapi.yaml");
  const existing = Object.keys(isObject(paths) ? paths : {});
  if (existing.includes(path)) return insertYaml(text, ["paths", path], entry);
  const shared = existing.map((other) => sharedSegments(other, path));
  const next = existing[shared.lastIndexOf(Math.max(0, ...shared)) + 1];
  const item = `${path}:\n  ${entry.replaceAll("\n", "\n  ")}`;
  return insertYaml(text, ["paths"], item, (_, key) => key === next);
}

function sharedSegments(a: string, b: string): number {
  const [one, other] = [a.split("/"), b.split("/")];
  const end = one.findIndex((segment, index) => segment !== other[index]);
  return end < 0 ? one.length : end;
}

/** Tags are sorted alphabetically. */
export function withTag(text: string, tag: string): string {
  const name = (item: Json): string => (isObject(item) && typeof item["name"] === "string" ? item["name"] : "");
  if (new RegExp(`^ +- name: "?${tag}"?$`, "m").test(text)) return text;
  const entry = `- name: ${tag}\n  description: ${capital(tag.replaceAll("-", " "))}.`;
  return insertYaml(text, ["tags"], entry, (item) => name(item) > tag);
}
