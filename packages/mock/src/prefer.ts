import { essenceOf } from "@trainyard/document";

/** The media types that the header `Accept` names, the most wanted first. A range such as `text/*` leaves the choice to the document. */
export function acceptedTypes(headers: Headers): string[] {
  return (headers.get("accept") ?? "")
    .split(",")
    .map((part) => ({ type: essenceOf(part), weight: Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1) }))
    .filter(({ type, weight }) => !type.includes("*") && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ type }) => type);
}

/** The preferences in the header `Prefer`. */
export interface Preference {
  /** The status of the response. */
  readonly status?: number;
  /** The named example to return as the body. */
  readonly example?: string;
  /** Milliseconds before the response. */
  readonly delayMs?: number;
}

/**
 * Reads `Prefer: code=422, example=name, delay=200`. Parts are separated by commas or semicolons. Unknown parts and invalid
 * values are ignored, as RFC 7240 requires.
 */
export function readPreference(headers: Headers): Preference {
  const preference: { -readonly [K in keyof Preference]: Preference[K] } = {};
  for (const part of (headers.get("prefer") ?? "").split(/[,;]/)) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*"?([^"]*?)"?\s*$/.exec(part) ?? [];
    if (name === "code" && /^[1-5]\d\d$/.test(value ?? "")) preference.status = Number(value);
    if (name === "example" && value) preference.example = value;
    if (name === "delay" && /^\d{1,5}$/.test(value ?? "")) preference.delayMs = Number(value);
  }
  return preference;
}
