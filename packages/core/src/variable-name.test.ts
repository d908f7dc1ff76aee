import { expect, it } from "vitest";
import { variableName } from "./variable-name.ts";

it.each([
  ["apiKey", "TRAINYARD_API_KEY"],
  ["accessToken", "TRAINYARD_ACCESS_TOKEN"],
  ["trainer-jobs", "TRAINYARD_TRAINER_JOBS"],
  ["training_url", "TRAINYARD_TRAINING_URL"],
  ["look-up_url", "TRAINYARD_LOOK_UP_URL"],
])("names the variable of %s", (name, variable) => expect(variableName(name)).toBe(variable));
