import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { planHandler } from "./operation.ts";
import { Plan } from "./plan.ts";

/** The handlers of a service with one more. */
function withOneMore(text: string): string {
  const root = mkdtempSync(join(tmpdir(), "trainyard-handler-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = "packages/server/src/handlers/harbor.ts";
  mkdirSync(join(root, "packages/server/src/handlers"), { recursive: true });
  writeFileSync(join(root, file), text);
  const plan = new Plan(root);
  planHandler(plan, "harbor", "ships.list");
  return plan.read(file);
}

const handlers = (imported: string, record: string): string =>
  `${imported}
export function harborHandlers(): Handlers<"harbor"> {
  const note = 'Handlers<"harbor"> { return {} }'; // };
  return {${record}};
}
`;
const one = `
    "ships.get": async () => ({ status: 200, body: { note } }),
  `;

it.each([
  [
    "among what is imported",
    `import { noModel } from "@trainyard/host";`,
    `import { byExample, noModel } from "@trainyard/host";`,
  ],
  [
    "that is imported already",
    `import { byExample } from "@trainyard/host";`,
    `import { byExample } from "@trainyard/host";`,
  ],
  [
    "beside types alone",
    `import type { Handlers } from "@trainyard/host";`,
    `import { byExample } from "@trainyard/host";\nimport type { Handlers } from "@trainyard/host";`,
  ],
])("adds a handler by example, %s", (_, before, after) => {
  expect(withOneMore(handlers(before, one))).toBe(
    handlers(after, `${one.trimEnd()}\n    "ships.list": byExample,\n  `),
  );
});

it.each([
  ["a last handler without a comma", one.replace(/,\n {2}$/, "")],
  ["no handler", ""],
])("adds a handler after %s", (_, record) => {
  const text = withOneMore(handlers(`import { byExample } from "@trainyard/host";`, record));
  expect(text).toContain(`\n    "ships.list": byExample,`);
  expect(text.match(/,\s*,|\{,/)).toBeNull();
});

it("leaves a file without such handlers unchanged", () => {
  expect(withOneMore("export const none = 1;\n")).toBe("export const none = 1;\n");
});
