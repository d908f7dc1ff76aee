import { formats as own } from "@trainyard/core/validation";
import { fullFormats, type FormatName } from "ajv-formats/dist/formats.js";

/** The formats that validators judge: those of `ajv-formats`, but those that we judge ourselves. */
export const formats: Readonly<Record<FormatName, (typeof fullFormats)[FormatName]>> = {
  ...fullFormats,
  // Every number is one, and generated code has no functions of a library.
  float: true,
  double: true,
  "iso-time": own.time,
  "iso-date-time": own["date-time"],
  ...own,
};
