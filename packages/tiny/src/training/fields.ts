import { isObject, type JsonObject } from "@trainyard/core/validation";
import { TrainingFailure } from "./training-failure.ts";

/** Reads the settings of a job one by one. Null and omitted fields use the default. */
export class Fields {
  readonly #name: string;
  readonly #values: JsonObject;

  /** @param name the name of the settings in the request, for messages */
  constructor(name: string, values: unknown) {
    if (values !== undefined && values !== null && !isObject(values)) {
      throw new TrainingFailure(`${name} is not an object. Omit it, or pass an object of settings.`);
    }
    this.#name = name;
    this.#values = values ?? {};
  }

  has(field: string): boolean {
    return this.value(field) !== undefined;
  }

  value(field: string): unknown {
    return this.#values[field] ?? undefined;
  }

  boolean(field: string): boolean | undefined {
    const value = this.value(field);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.wrong(field, "true or false");
  }

  /** A finite number of a range, both ends included. */
  number(
    field: string,
    { min = -Infinity, max = Infinity }: { readonly min?: number; readonly max?: number } = {},
  ): number | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isFinite(value) && value >= min && value <= max) return value;
    throw this.wrong(field, `a number${rangeOf(min, max)}`);
  }

  integer(field: string, range: { min?: number } = {}): number | undefined {
    const value = this.number(field, range);
    if (value === undefined || Number.isInteger(value)) return value;
    throw this.wrong(field, `an integer${rangeOf(range.min ?? -Infinity, Infinity)}`);
  }

  oneOf<const T extends string>(field: string, names: readonly T[]): T | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    const found = names.find((name) => name === value);
    if (found !== undefined) return found;
    throw this.wrong(field, `one of ${names.join(", ")}`);
  }

  /** The settings of a nested object; none if it is omitted. */
  nested(field: string): Fields {
    return new Fields(`${this.#name}.${field}`, this.value(field));
  }

  /** The error for an invalid value. */
  wrong(field: string, wanted: string): TrainingFailure {
    return new TrainingFailure(`${this.#name}.${field} is ${JSON.stringify(this.value(field))}; it must be ${wanted}.`);
  }
}

function rangeOf(min: number, max: number): string {
  if (min === -Infinity) return "";
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`;
}
