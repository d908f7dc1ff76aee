import type { Case } from "./case.ts";
import { objects } from "./objects.ts";
import { operations } from "./operations.ts";
import { parameters } from "./parameters.ts";
import { responses } from "./responses.ts";
import { unions } from "./unions.ts";
import { values } from "./values.ts";
import { documentation } from "./documentation.ts";

export const cases: readonly Case[] = [
  ...operations,
  ...parameters,
  ...responses,
  ...objects,
  ...values,
  ...unions,
  ...documentation,
];
