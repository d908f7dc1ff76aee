import { isObject, joinPointer, pointerTokens } from "@trainyard/core/validation";
import { referredName } from "../index.ts";
import type { OpenApiDocument } from "./document.ts";

/**
 * A copy of a part of a bundle that refers to components by other names.
 *
 * @param names the new names, by the pointer of the component
 */
export function referTo(names: ReadonlyMap<string, string>, part: unknown): unknown {
  const place = "#/components/schemas";
  const refer = (target: string): string => {
    if (!target.startsWith("#/components/")) return target;
    const [components = "", section = "", ...rest] = pointerTokens(target);
    const name = names.get(joinPointer("#", components, section, rest[0] ?? ""));
    return name === undefined ? target : joinPointer("#", components, section, name, ...rest.slice(1));
  };
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf);
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
    if (typeof value["$ref"] === "string") copy["$ref"] = refer(value["$ref"]);
    const { discriminator, oneOf, anyOf } = value;
    if (isObject(discriminator) && typeof discriminator["propertyName"] === "string") {
      // Without a mapping, its values are the names that the components had.
      const branches = [oneOf ?? anyOf ?? []].flat().flatMap((branch) => {
        const name = referredName(branch);
        return name === undefined ? [] : [[name, joinPointer(place, name)]];
      });
      const written = isObject(discriminator["mapping"]) ? Object.entries(discriminator["mapping"]) : branches;
      const mapping = written.map(([tag, target]) => {
        const pointer = joinPointer(place, String(target));
        return [tag, names.has(pointer) ? refer(pointer) : refer(String(target))];
      });
      copy["discriminator"] = { ...discriminator, mapping: Object.fromEntries(mapping) };
    }
    return copy;
  };
  return copyOf(part);
}

/**
 * A copy of a bundle whose components have other names, with everything that refers to them.
 *
 * @param names the new names, by the pointer of the component
 */
export function renameComponents(document: OpenApiDocument, names: ReadonlyMap<string, string>): OpenApiDocument {
  const { components = {}, ...rest } = document;
  const sections = Object.entries(components).map(([section, members]) => {
    const entries = Object.entries(Object(members)).map(([name, member]) => {
      const own = names.get(joinPointer("#/components", section, name)) ?? name;
      return [own, referTo(names, member)];
    });
    return [section, Object.fromEntries(entries)];
  });
  return Object.assign(Object(referTo(names, rest)), { components: Object.fromEntries(sections) });
}
