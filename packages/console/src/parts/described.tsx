/** @jsxImportSource preact */
import type { Attempt } from "@trainyard/local";
import { hrefOf } from "../state/address.ts";
import type { Pairs } from "./card.tsx";
import { exactly } from "./filters.tsx";

/** Metadata. Each value leads to all attempts that have it. */
export function metadataOf(run: string, metadata: Attempt["metadata"]): Pairs {
  return Object.entries(metadata).map(([name, value]) => [
    name,
    value === null ? (
      <i key={name}>null</i>
    ) : (
      <a key={name} href={hrefOf(["runs", run, "rollouts"], { [`metadata.${name}`]: exactly(value) })}>
        {String(value)}
      </a>
    ),
  ]);
}

/** With which steps of the model an attempt began and ended, and when it began, if that was logged. */
export function originOf({ initial_policy: first, final_policy: last, started_at: start }: Attempt): Pairs {
  const policy = first === null || last === null || first === last ? (last ?? first) : `${first} → ${last}`;
  return [
    ...(policy === null ? [] : [["policy", policy] as const]),
    ...(start === null
      ? []
      : [["started", <time dateTime={start}>{start.replace("T", " ").replace(/\.000Z$/, "Z")}</time>] as const]),
  ];
}
