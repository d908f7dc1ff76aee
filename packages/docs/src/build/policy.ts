/**
 * Adds the Content-Security-Policy to each page as a meta element, because a simple file server sends no headers. It allows the
 * site's own script files, and the few inline scripts of the page by their hash.
 */
import { createHash } from "node:crypto";
import { rewrite } from "./files.ts";

/** The policy of a page. */
export function policyOf(page: string): string {
  const hashes = [...page.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes]) => !/type="(application\/(ld\+)?json|speculationrules)"/.test(attributes ?? ""))
    .map(
      ([, , text]) =>
        `'sha256-${createHash("sha256")
          .update(text ?? "")
          .digest("base64")}'`,
    );
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`.trimEnd(),
    // Colors of code blocks are inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    // The worker of a sample belongs to another page, which has a stricter policy.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Writes the policy at the start of each page's head, before everything that it applies to. */
export function addPolicies(folder: string): void {
  rewrite(folder, "**/*.html", (page) =>
    page.replace(
      /<meta charset="utf-?8"\s*\/?>/i,
      (charset) => `${charset}<meta http-equiv="Content-Security-Policy" content="${policyOf(page)}">`,
    ),
  );
}
