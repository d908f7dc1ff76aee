import { textOf } from "../../text.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Sentence } from "../sentences.ts";
import type { Exchange } from "../wire.ts";

const bodyOf = ({ body }: Exchange): JsonObject => (isObject(body) ? body : {});
const list = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const sameAs =
  (name: string): Sentence["breach"] =>
  (object, exchange) => {
    const wanted = bodyOf(exchange)[name];
    return typeof wanted !== "string" || object[name] === wanted ? undefined : `${String(object[name])} for ${wanted}`;
  };

export const objects: readonly Sentence[] = [
  {
    schema: "ObjSchema",
    property: "project_id",
    text: "The project that holds the object.",
    performed: true,
    breach: sameAs("project_id"),
  },
  {
    schema: "ObjSchema",
    property: "object_id",
    text: "Identifier of the object.",
    performed: true,
    breach: sameAs("object_id"),
  },
  {
    schema: "ObjSchema",
    property: "val",
    text: "It is `{}` if the request has `metadata_only: true`.",
    performed: true,
    breach: ({ val }, exchange) =>
      bodyOf(exchange)["metadata_only"] !== true || (isObject(val) && Object.keys(val).length === 0)
        ? undefined
        : "`val` with a value, for `metadata_only: true`",
  },
  ...(["tags", "aliases"] as const).map((name): Sentence => ({
    schema: "ObjSchema",
    property: name,
    text: "Null unless",
    performed: true,
    breach: (object, exchange) => {
      const wanted = bodyOf(exchange)["include_tags_and_aliases"] === true;
      const there = list(object[name]) !== undefined;
      if (there === wanted) return undefined;
      return there
        ? `${name}, although the request does not include it`
        : `no ${name}, for \`include_tags_and_aliases: true\``;
    },
  })),
  {
    schema: "ObjSchema",
    property: "tags",
    text: "sorted",
    breach: ({ tags }) => {
      const all = (list(tags) ?? []).map(String);
      return JSON.stringify(all) === JSON.stringify(all.toSorted()) ? undefined : all.join(", ");
    },
  },
  {
    schema: "ObjSchema",
    property: "aliases",
    text: "The aliases of the newest version start with `latest`.",
    breach: ({ aliases, is_latest: newest }) => {
      const [first, ...others] = list(aliases) ?? [];
      if (first === undefined) return undefined;
      const fits = newest === 1 ? first === "latest" : first !== "latest" && !others.includes("latest");
      return fits ? undefined : `is_latest ${String(newest)}, and the aliases begin with ${textOf(first)}`;
    },
  },
  {
    schema: "ObjSchema",
    property: "is_latest",
    text: "1 for the newest version that is not deleted",
    performed: true,
    breach: ({ is_latest: newest }, exchange) =>
      bodyOf(exchange)["digest"] === "latest" && newest !== 1 ? `${String(newest)}, read as \`latest\`` : undefined,
  },
  {
    schema: "ObjSchema",
    property: "version_index",
    text: "Number of this version, counted from 0.",
    performed: true,
    breach: ({ version_index: index }, exchange) => {
      const wanted = /^v(\d+)$/.exec(String(bodyOf(exchange)["digest"]))?.[1];
      if (Number(index) < 0) return String(index);
      return wanted === undefined || Number(wanted) === index ? undefined : `${String(index)}, read as v${wanted}`;
    },
  },
  {
    schema: "ObjSchema",
    property: "deleted_at",
    text: "null if it was not",
    performed: true,
    breach: ({ deleted_at: deleted }) =>
      typeof deleted === "string" ? "a time, for a version that was read" : undefined,
  },
];
