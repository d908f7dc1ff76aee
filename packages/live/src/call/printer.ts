import { isObject, joinPointer, memberAt, pointerTokens } from "@trainyard/core/validation";
import { didYouMean } from "@trainyard/document";
import { UsageError } from "@trainyard/terminal/command";
import { cut } from "../text.ts";
import type { CallTerminal } from "./command.ts";

export interface Printer {
  readonly value: (one: unknown) => void;
  readonly text: (written: string | Uint8Array) => void;
  readonly failed: (body: unknown) => void;
  readonly end: () => number;
}

/** Prints values as JSON, or the member of each that a JSON Pointer names: a text without quotes. */
export function printerOf(field: string | undefined, { out, err, isTerminal }: CallTerminal): Printer {
  const json = (one: unknown) => `${JSON.stringify(one, null, isTerminal ? 2 : undefined) ?? "null"}\n`;
  const value = (one: unknown) => one !== undefined && out(json(one));
  if (field === undefined) return { value, text: out, failed: value, end: () => 0 };
  if (!/^(\/|$)/.test(field)) throw new UsageError(`--field must be a JSON Pointer such as /data/0/id, not ${field}.`);
  let found = 0;
  let missed: [unknown] | undefined;
  const member = (one: unknown) => {
    const at = memberAt(one, pointerTokens(field));
    if (at === undefined) missed = [one];
    else out(typeof at === "string" ? `${at}\n` : json(at));
    found += at === undefined ? 0 : 1;
  };
  return {
    value: member,
    text: member,
    failed: (body) => err(json(body)),
    end: () => {
      // An event of a stream may lack what others have.
      if (missed === undefined || found > 0) return 0;
      err(`${json(missed[0])}${nothingAt(field, missed[0])}\n`);
      return 2;
    },
  };
}

function nothingAt(field: string, value: unknown): string {
  const tokens = pointerTokens(field);
  const at = tokens.findIndex((_, index) => memberAt(value, tokens.slice(0, index + 1)) === undefined);
  const parent = joinPointer("", ...tokens.slice(0, at));
  const holder = memberAt(value, tokens.slice(0, at));
  const names = Object.keys(isObject(holder) || Array.isArray(holder) ? holder : {});
  const pointers = names.map((name) => joinPointer(parent, name));
  const hint = didYouMean(joinPointer(parent, tokens[at] ?? ""), pointers);
  const members = pointers.length === 0 ? "no members" : cut(pointers.join(", "));
  return `The response has nothing at ${field}.${hint ?? ` ${parent || "It"} has ${members}.`}`;
}
