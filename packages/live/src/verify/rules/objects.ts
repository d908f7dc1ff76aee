import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import { bodyOf, echo, type Row, type Rows } from "./rule.ts";

const list = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);

const onlyIfIncluded: Row = {
  performed: (value, _, seen) => {
    const wanted = bodyOf(seen)["include_tags_and_aliases"] === true;
    const there = list(value) !== undefined;
    if (there === wanted) return undefined;
    return there ? "a list, although the request does not include it" : "null, for `include_tags_and_aliases: true`";
  },
};

/** The rules of objects, and of hardware. */
export const objects: Rows<`${"hardware" | "object" | "price"}-${string}`> = {
  "object-project": echo("project_id"),
  "object-id": echo("object_id"),
  "object-metadata-only": {
    performed: (value, _, seen) =>
      bodyOf(seen)["metadata_only"] !== true || (isObject(value) && Object.keys(value).length === 0)
        ? undefined
        : "`val` with a value, for `metadata_only: true`",
  },
  "object-tags-null": onlyIfIncluded,
  "object-aliases-null": onlyIfIncluded,
  "object-tags-sorted": (tags) => {
    const all = (list(tags) ?? []).map(String);
    return JSON.stringify(all) === JSON.stringify(all.toSorted()) ? undefined : all.join(", ");
  },
  "object-aliases-latest": (aliases, { is_latest: newest }) => {
    const [first, ...others] = list(aliases) ?? [];
    if (first === undefined) return undefined;
    const fits = newest === 1 ? first === "latest" : first !== "latest" && !others.includes("latest");
    return fits ? undefined : `is_latest ${String(newest)}, and the aliases begin with ${textOf(first)}`;
  },
  "object-newest": {
    performed: (newest, _, seen) =>
      bodyOf(seen)["digest"] === "latest" && newest !== 1 ? `${String(newest)}, read as \`latest\`` : undefined,
  },
  "object-version": {
    performed: (index, { aliases }, seen) => {
      const digest = String(bodyOf(seen)["digest"]);
      const wanted = Number(/^v(\d+)$/.exec(digest)?.[1] ?? index);
      if (Number(index) < 0) return String(index);
      // A version that does not exist yet may be the alias of an earlier one.
      const isAlias = Number(index) < wanted && (list(aliases)?.includes(digest) ?? true);
      return wanted === index || isAlias ? undefined : `${String(index)}, read as ${digest}`;
    },
  },
  "object-deleted": {
    performed: (deleted) => (typeof deleted === "string" ? "a time, for a version that was read" : undefined),
  },
  "object-credentials": { tried: "with basicKey" },
  "object-version-once": { unchecked: "no operation adds or deletes a version" },
  "object-digest": { unchecked: "a run does not know an object whose versions have aliases like `v3`" },
  "object-digest-order": { unchecked: "a run does not know an object whose versions have aliases like `v3`" },
  "object-project-name": { unchecked: "a run has the key of one entity" },
  "hardware-unknown-model": { unchecked: "a run does not know which models a service does not know" },
  "price-decimals": { unchecked: "it is a permission" },
};
