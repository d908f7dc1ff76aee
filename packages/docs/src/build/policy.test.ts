import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { policyOf } from "./policy.ts";

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

it("allows the inline scripts of the page by their hash, and no others", () => {
  const policy = policyOf(
    `<script>let a = 1;</script><script type="module" src="/x.js"></script><script type="module">b()</script>`,
  );
  expect(policy).toContain(`script-src 'self' ${hash("let a = 1;")} ${hash("b()")};`);
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  expect(policy).toMatch(/^default-src 'none';/);
});
