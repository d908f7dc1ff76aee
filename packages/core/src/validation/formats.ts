import { boundErrors } from "./bound-errors.ts";

const longMonth = String.raw`\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`;
const shortMonth = String.raw`\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`;
const february = String.raw`\d{4}-02-(?:0[1-9]|1\d|2[0-8])`;
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const date = `(?:${longMonth}|${shortMonth}|${february}|${leapYear}-02-29)`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?`;
const offset = String.raw`(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;
const uri = /^[A-Za-z][A-Za-z\d+.-]*:\S+$/;

/** Formats that a function judges, of which generated code takes this one table. */
interface Judged {
  readonly type: "number";
  readonly validate: (value: number) => boolean;
}

/**
 * The formats that validators judge by our own rules, whatever a library says. Nearly all are regular expressions instead of
 * functions, so that generated code contains those that it needs.
 *
 * - `date-time`: ISO 8601 with a date that exists. The offset is optional: a value without one is UTC. `time` is its second part.
 * - `uuid`: any version, any case.
 * - `uri`: a scheme, then anything without white space. `url` is the same.
 * - `byte`: base64 of either alphabet, with or without padding.
 */
export const formats: Readonly<Record<"date" | "date-time" | "time" | "uuid" | "uri" | "url" | "byte", RegExp>> &
  Readonly<Record<"int32" | "int64", Judged>> & { readonly regex: (text: string) => boolean } = {
  date: new RegExp(`^${date}$`),
  "date-time": new RegExp(`^${date}[Tt ]${time}${offset}?$`),
  time: new RegExp(`^${time}${offset}?$`),
  uuid: /^[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12}$/,
  uri,
  url: uri,
  byte: /^[A-Za-z\d+/_-]*={0,2}$/,
  int32: { type: "number", validate: (value) => (value | 0) === value },
  int64: { type: "number", validate: Number.isInteger },
  regex: (text) => {
    try {
      return typeof new RegExp(text) === "object";
    } catch {
      return false;
    }
  },
};

/** The Ajv options of every validator (`ajv/dist/2020`). */
export const ajvOptions: {
  readonly strict: false;
  readonly allErrors: true;
  readonly discriminator: true;
  readonly formats: typeof formats;
  /** Otherwise Ajv first compiles JSON Schema's own schema, to validate a document that is not a schema. */
  readonly validateSchema: false;
  /** Otherwise Ajv prints each place of a format that is not supported, at each compilation. */
  readonly logger: false;
  /** Keeps validation linear. If you pass a `code` option of your own, apply {@link boundErrors} to Ajv's code in it. */
  readonly code: { readonly process: (code: string) => string };
} = {
  strict: false,
  allErrors: true,
  discriminator: true,
  formats,
  validateSchema: false,
  logger: false,
  code: { process: boundErrors },
};

const inherited = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join("|")})"`);

/**
 * Ajv's options for what a prepared document contains. Tracking of evaluated properties takes an eighth of the code, and
 * only two keywords need it; a look at own properties alone is needed for names such as `toString`, which each object has.
 */
export function optionsFor(prepared: object): { readonly unevaluated: boolean; readonly ownProperties: boolean } {
  const text = JSON.stringify(prepared);
  return { unevaluated: /"unevaluated(Properties|Items)"/.test(text), ownProperties: inherited.test(text) };
}
