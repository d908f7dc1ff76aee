import type { Plan } from "./plan.ts";

/**
 * Plans a new operation's handler in the local server, where it has the service at all: it answers with an example of the
 * document, and whoever writes the real one replaces it.
 */
export function planHandler(plan: Plan, service: string, method: string): void {
  const file = `packages/server/src/handlers/${service}.ts`;
  if (!plan.has(file)) return;
  plan.edit(file, (text) => withImport(withHandler(text, service, method)));
  plan.tell(`The local server answers ${method} by example: write its handler in ${file}.`);
}

/** Puts it last in the record that is of the type of the service's handlers. */
function withHandler(text: string, service: string, method: string): string {
  const start = text.indexOf(`Handlers<"${service}"> {`);
  const end = text.indexOf("\n  };\n", start);
  return start < 0 || end < 0 ? text : `${text.slice(0, end)}\n    "${method}": byExample,${text.slice(end)}`;
}

function withImport(text: string): string {
  if (/import \{[^}]*\bbyExample\b[^}]*\} from "@trainyard\/host";/.test(text)) return text;
  const known = /import \{(\s*)(?=[^}]*\} from "@trainyard\/host";)/;
  if (known.test(text)) return text.replace(known, (_, space: string) => `import {${space}byExample,${space}`);
  return `import { byExample } from "@trainyard/host";\n${text}`;
}
