import type { Validator } from "@trainyard/training/validators";
import { TrainingFailure } from "./training-failure.ts";

/**
 * A part of a request.
 *
 * @param name its name in the request, for messages
 * @throws TrainingFailure that names what the contract does not permit, its value and what it must be
 */
export function valid<T>(name: string, value: unknown, validator: Validator<T>): T {
  const fault = validator.faults(value).at(-1);
  if (fault === undefined) return value as T;
  if (fault.type === "missing") throw new TrainingFailure(`${name}${placeOf(fault.loc.slice(0, -1))}: ${fault.msg}`);
  throw invalid(name, value, fault.loc, fault.msg.replace(/^This /, ""));
}

type Loc = readonly (string | number)[];

function invalid(name: string, whole: unknown, loc: Loc, why: string): TrainingFailure {
  const value = loc.reduce<unknown>((part, step) => Reflect.get(Object(part), step), whole);
  return new TrainingFailure(`${name}${placeOf(loc)} is ${JSON.stringify(value).slice(0, 80)}; it ${why}`);
}

function placeOf(loc: Loc): string {
  return loc.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}
