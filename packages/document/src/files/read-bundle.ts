import { isObject } from "@trainyard/core/validation";
import { asOpenApi31, describeRules, dialect, dialectFault } from "../index.ts";
import { canonical } from "./canonical.ts";
import type { OpenApiDocument } from "./document.ts";
import { DocumentError } from "./problem.ts";

/** Reads a bundle and sorts it. */
export function readBundle(parsed: unknown, source: string): OpenApiDocument {
  // A document of components or webhooks alone has no paths.
  const whole = isObject(parsed) && (parsed["components"] ?? parsed["webhooks"]) ? { paths: {}, ...parsed } : parsed;
  const missing = ["openapi", "info", "paths"].filter((key) => !isObject(whole) || whole[key] === undefined);
  if (!isDocument(whole)) {
    throw new DocumentError([
      {
        file: source,
        message: `This is not an OpenAPI document${missing.length > 0 ? `: it has no ${missing.join(", ")}` : ""}.`,
        cure: "Give it `openapi: 3.1.0`, `info` with a title and a version, and `paths`.",
      },
    ]);
  }
  const fault = dialectFault(whole);
  if (fault !== undefined) throw new DocumentError([{ file: source, ...fault }]);
  const document = asOpenApi31(whole);
  return canonical(dialect.version.read(document) ? describeRules(document) : document);
}

function isDocument(value: unknown): value is OpenApiDocument {
  if (!isObject(value) || typeof value["openapi"] !== "string" || !isObject(value["paths"])) return false;
  const info = value["info"];
  return isObject(info) && typeof info["version"] === "string" && typeof (info["title"] ?? "") === "string";
}
