import type { Validator } from "@trainyard/training/validators";
import { TrainingFailure } from "./training-failure.ts";

/**
 * The settings of a request; none if they are null or omitted. The contract validates them, and states some of the smallest
 * values in words only: these are in `least`.
 *
 * @param name the name of the settings in the request, for messages
 * @throws TrainingFailure that names an invalid setting, its value and what it must be
 */
export function configOf<T extends object>(
  name: string,
  value: unknown,
  validator: Validator<T>,
  least: { readonly [Field in keyof T]?: number },
): Partial<T> {
  const config: unknown = value ?? {};
  const wrong = (loc: readonly (string | number)[], why: string): TrainingFailure => {
    const given: unknown = loc.reduce<unknown>((part, step) => Reflect.get(Object(part), step), config);
    const place = loc.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    return new TrainingFailure(`${name}${place} is ${JSON.stringify(given)}; it ${why}`);
  };
  const fault = validator.faults(config).at(-1);
  if (fault !== undefined) throw wrong(fault.loc, fault.msg.replace(/^This /, ""));
  for (const [field, min] of Object.entries<number | undefined>(least)) {
    const given: unknown = Reflect.get(Object(config), field);
    for (const [index, one] of [given].flat().entries())
      if (typeof one === "number" && one < (min ?? 0))
        throw wrong(Array.isArray(given) ? [field, index] : [field], `must be at least ${min}.`);
  }
  return Object(config);
}
