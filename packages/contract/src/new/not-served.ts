import type { Plan } from "./plan.ts";

const file = "packages/server/src/handlers/not-served.ts";

/** Plans a new operation's place among those that the local server does not serve yet, where it has the service at all. */
export function planNotServed(plan: Plan, service: string, method: string): void {
  if (!plan.has(file)) return;
  const list = new RegExp(`^  ${service}: \\[([^\\]]*)\\],$`, "m");
  plan.edit(file, (text) => {
    const found = list.exec(text);
    if (found === null) return text;
    const names = [...(found[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? "");
    const written = [...names, method].sort().map((name) => JSON.stringify(name));
    return text.replace(list, () => `  ${service}: [${written.join(", ")}],`);
  });
  if (!list.test(plan.read(file))) return;
  plan.tell(
    `The local server does not serve ${method} yet, and answers 501: ${file} lists it until its handler is there.`,
  );
}
