import type { JsonObject } from "@trainyard/core/validation";
import { either, empty, literal, sequence, type Form } from "./form.ts";

/** How far from its only bound, or from 0, a number is searched. */
const reach = 999;

/** An integer within the limits of a schema; undefined if there is none. */
export function integerForm(schema: JsonObject): Form | undefined {
  const { least, most, multiple, isIn } = limitsOf(schema);
  const [first, last] = [Math.ceil(least / multiple) * multiple, Math.floor(most / multiple) * multiple];
  // Excludes an exclusive bound itself.
  const [low, high] = [isIn(first) ? first : first + multiple, isIn(last) ? last : last - multiple];
  if (low > high) return undefined;
  const hit = (from: number, to: number): boolean =>
    Math.ceil(Math.max(from, low) / multiple) * multiple <= Math.min(to, high);
  const isWhole = (written: string) => /\d$/.test(written) && hit(Number(written), Number(written));
  const mayGoOn = (written: string): boolean => {
    // JSON has no leading zeros, and -0 is not written.
    if (!/^-?(0|[1-9]\d*)?$/.test(written) || written === "-0") return false;
    if (!/\d/.test(written)) return written === "" || low < 0;
    const value = Number(written.replace("-", ""));
    // How many digits may follow: none after 0, and 16 in all.
    const longest = value === 0 ? 1 : Math.max(1, 1e16 / value);
    for (let power = 1; power <= longest; power *= 10) {
      const [near, far] = [value * power, value * power + power - 1];
      if (written.startsWith("-") ? hit(-far, -near) : hit(near, far)) return true;
    }
    return false;
  };
  const from = (written: string): Form => ({
    mayEnd: isWhole(written),
    allow: (mask) => {
      for (const character of "-0123456789") if (mayGoOn(written + character)) mask[character.charCodeAt(0)] = 1;
    },
    next: (byte) => {
      const longer = written + String.fromCharCode(byte);
      return mayGoOn(longer) ? from(longer) : undefined;
    },
  });
  return from("");
}

/** A number within the limits of a schema; undefined if none is found. */
export function numberForm(schema: JsonObject): Form | undefined {
  const { least, most, isIn, multiple } = limitsOf(schema);
  if (!Number.isInteger(multiple))
    return someOf(
      Array.from({ length: 20 }, (_, step) => (Math.ceil(least / multiple) + step) * multiple).filter(isIn),
    );
  const integer = integerForm(schema);
  if (schema["multipleOf"] !== undefined) return integer;
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
  if (!bounds.some((key) => typeof schema[key] === "number")) {
    return integer && sequence(integer, either([empty, literal(".5"), literal(".25")]));
  }
  const steps = Array.from({ length: 11 }, (_, step) => Number((least + ((most - least) * step) / 10).toPrecision(6)));
  const between = someOf(steps.filter(isIn));
  const all = [between, integer].filter((form) => form !== undefined);
  return all.length === 0 ? undefined : either(all);
}

function someOf(values: readonly number[]): Form | undefined {
  return values.length === 0 ? undefined : either(values.map((value) => literal(JSON.stringify(value))));
}

function limitsOf(schema: JsonObject) {
  const numberAt = (key: string): number | undefined => {
    const value = schema[key];
    return typeof value === "number" ? value : undefined;
  };
  const low = numberAt("minimum") ?? -Infinity;
  const above = numberAt("exclusiveMinimum") ?? -Infinity;
  const high = numberAt("maximum") ?? Infinity;
  const below = numberAt("exclusiveMaximum") ?? Infinity;
  const isIn = (value: number) => value >= low && value > above && value <= high && value < below;
  const [from, to] = [Math.max(low, above), Math.min(high, below)];
  const least = Number.isFinite(from) ? from : Number.isFinite(to) ? to - reach : 0;
  const most = Number.isFinite(to) ? to : least + reach;
  const multiple = Math.abs(numberAt("multipleOf") ?? 1) || 1;
  return { isIn, multiple, least, most };
}
