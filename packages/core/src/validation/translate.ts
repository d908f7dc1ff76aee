import type { AjvErrorLike } from "./ajv-error.ts";
import type { Fault, FaultType, Loc } from "./fault.ts";

const kinds: Record<string, [FaultType, string]> = {
  string: ["string_type", "a string"],
  integer: ["int_type", "a whole number"],
  number: ["float_type", "a number"],
  boolean: ["bool_type", "true or false"],
  array: ["list_type", "a list"],
  object: ["dict_type", "an object"],
  null: ["literal_error", "null"],
};

/** Converts one Ajv error to a fault. */
export function translate(error: AjvErrorLike, loc: Loc): Fault {
  const { keyword, params } = error;
  const fault = (type: FaultType, msg: string, name?: unknown): Fault => ({
    loc: typeof name === "string" ? [...loc, name] : loc,
    msg,
    type,
  });
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return fault("missing", `${quote(params["missingProperty"])} is required.`, params["missingProperty"]);
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
      return fault("extra_forbidden", `${quote(name)} is not a property of this object.`, name);
    }
    case "false schema":
      return fault("extra_forbidden", "This is not permitted here.");
    case "type":
      return typeFault(params["type"], fault);
    case "const":
      return fault("literal_error", `This must be ${quote(params["allowedValue"])}.`);
    case "enum":
      return fault("enum", `This must be ${either([params["allowedValues"]].flat().map(quote))}.`);
    case "discriminator":
      return params["tagValue"] === undefined
        ? fault("missing", `${quote(params["tag"])} is required.`, params["tag"])
        : fault("union_tag_invalid", `No permitted object has this value of ${quote(params["tag"])}.`, params["tag"]);
    case "format":
      return formatFault(params["format"], fault);
    case "pattern":
      return fault("value_error", `This must match the pattern ${String(params["pattern"])}.`);
    case "oneOf":
    case "anyOf":
    case "not":
      return fault("value_error", "This has none of the permitted forms.");
    case "propertyNames":
      return fault("value_error", "This is not a permitted name of a property.", params["propertyName"]);
    default:
      return limitFault(keyword, params["limit"] ?? params["multipleOf"], fault);
  }
}

type Make = (type: FaultType, msg: string) => Fault;

function typeFault(types: unknown, fault: Make): Fault {
  const names = [...new Set([types].flat().flatMap((type) => String(type).split(",")))];
  const expected = names.map((name) => kinds[name]).filter((kind) => kind !== undefined);
  const main = expected.find(([type]) => type !== "literal_error") ?? expected[0];
  return fault(main?.[0] ?? "value_error", `This must be ${either(expected.map(([, phrase]) => phrase))}.`);
}

function formatFault(format: unknown, fault: Make): Fault {
  if (format === "uuid") return fault("uuid_parsing", "This must be a UUID.");
  if (format !== "date-time") return fault("value_error", `This must have the format ${quote(format)}.`);
  return fault("datetime_parsing", "This must be an ISO 8601 date and time, such as 2026-01-31T09:30:00Z.");
}

type Sentence = (limit: string) => string;

const amount =
  (most: string, one: string, many = `${one}s`): Sentence =>
  (limit) =>
    `This must have ${most} ${limit} ${limit === "1" ? one : many}.`;

const limits: Record<string, [FaultType, Sentence]> = {
  minimum: ["greater_than_equal", (limit) => `This must be at least ${limit}.`],
  maximum: ["less_than_equal", (limit) => `This must be at most ${limit}.`],
  exclusiveMinimum: ["value_error", (limit) => `This must be greater than ${limit}.`],
  exclusiveMaximum: ["value_error", (limit) => `This must be less than ${limit}.`],
  multipleOf: ["value_error", (limit) => `This must be a multiple of ${limit}.`],
  minLength: ["too_short", amount("at least", "character")],
  maxLength: ["too_long", amount("at most", "character")],
  minItems: ["too_short", amount("at least", "item")],
  maxItems: ["too_long", amount("at most", "item")],
  minProperties: ["too_short", amount("at least", "property", "properties")],
  maxProperties: ["too_long", amount("at most", "property", "properties")],
  uniqueItems: ["value_error", () => "The items of this list must differ."],
};

function limitFault(keyword: string, limit: unknown, fault: Make): Fault {
  const [type, sentence] = limits[keyword] ?? ["value_error", () => `This breaks the rule "${keyword}".`];
  return fault(type, sentence(String(limit)));
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

/** `a`, `a or b`, `a, b or c`. */
function either(phrases: readonly string[]): string {
  return phrases.length < 2 ? phrases.join("") : `${phrases.slice(0, -1).join(", ")} or ${phrases.at(-1)}`;
}
