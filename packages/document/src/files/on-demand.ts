/**
 * Libraries of many modules, which few documents need.
 *
 * @module
 */
import { createRequire } from "node:module";
import type * as JsonPath from "jsonpath-rfc9535";
import type * as Yaml from "yaml";

const require = createRequire(import.meta.url);

export const yaml = (): typeof Yaml => require("yaml");

export const jsonPath = (): typeof JsonPath => require("jsonpath-rfc9535");
