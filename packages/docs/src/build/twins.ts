/** What agents read: a Markdown twin of every page and reference, `llms.txt`, `llms-full.txt`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationsOf, type Document } from "../reference/document.ts";
import { order } from "../sidebar.ts";
import { put } from "./files.ts";
import { pageText, type PageText } from "./page-text.ts";
import type { Texts } from "./reference-text.ts";

interface Twin extends PageText {
  readonly path: string;
}

/** Where a page stands in the site's own order. */
function rank(page: string): number {
  const at = order.indexOf(page.replace(/\/?index\.html$/, ""));
  return at < 0 ? order.length : at;
}

/** `guides/chat/index.html` → `guides/chat.md` */
export function twinPath(page: string): string {
  return page === "index.html" ? "index.md" : page.replace(/\/index\.html$/, ".md");
}

const instructions = `Instructions:

- Call the services through the typed clients (\`@trainyard/training\`, \`@trainyard/inference\`, \`@trainyard/auxiliary\`) where you write
  TypeScript; else send JSON with \`Authorization: Bearer <API_KEY>\`.
- Properties of the wire are in snake case (\`base_model\`), options of the clients in camel case (\`timeoutMs\`).
- Do not resend Create Model, Create Rl Training Job or Log without an \`Idempotency-Key\`.
- An invalid request is a 422 of training and auxiliary, and a 400 of inference.
- Rely on facts marked \`interface\`; those marked \`proposed\` may change (see "What is certain").
- Without a service at hand, \`npx -y pnpm@12 start\` in the repository serves all three at http://127.0.0.1:4010, with state; it prints the key.
- Every page has a Markdown twin: its address without the last slash, and \`.md\`. One operation: \`reference/<service>/<method>.md\`.`;

/** Writes all of them into the built site. */
export async function writeTwins(folder: string, documents: readonly Document[], references: Texts): Promise<void> {
  const pages = globSync("**/index.html", { cwd: folder })
    .map((page) => page.replaceAll("\\", "/"))
    .filter((page) => !page.startsWith("reference/"))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const operations = new Map(
    documents.flatMap((document) =>
      operationsOf(document).map(({ service, anchor, method, id }): [string, string] => [
        `/reference/${service}/#${anchor}`,
        `reference/${service}/${method ?? id}.md`,
      ]),
    ),
  );
  const twins = await Promise.all(
    pages.map(async (page): Promise<Twin> => {
      const path = twinPath(page);
      return { path, ...(await pageText(readFileSync(join(folder, page), "utf8"), path, operations)) };
    }),
  );
  for (const { path, markdown } of twins) put(folder, path, markdown);
  for (const [path, text] of Object.entries(references)) put(folder, path, text);
  put(folder, "llms.txt", list(twins, documents));
  const whole = documents.map(({ service }) => references[`reference/${service}.md`] ?? "");
  put(folder, "llms-full.txt", [instructions, ...twins.map(({ markdown }) => markdown), ...whole].join("\n\n---\n\n"));
}

function list(twins: readonly Twin[], documents: readonly Document[]): string {
  const under = (prefix: string): string[] =>
    twins
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, title, description }) => `- [${title}](${path}): ${description}`);
  const references = documents.flatMap((document) => [
    `- [${document.title}](reference/${document.service}.md): ${document.summary}. As OpenAPI 3.1: [YAML](openapi/${document.service}/${document.version}/openapi.yaml), [JSON](openapi/${document.service}/${document.version}/openapi.json)`,
    ...operationsOf(document)
      .filter(({ method }) => method !== undefined)
      .map(
        ({ method, summary, verb, path }) =>
          `  - [${method}](reference/${document.service}/${method}.md): ${summary}, \`${verb} ${path}\``,
      ),
  ]);
  return [
    "# Trainyard",
    "> The contract of three AI services (training, inference, auxiliary) as OpenAPI 3.1 documents, and what follows from them: typed clients, mocks, references.",
    instructions,
    "## Guides",
    under("guides/").join("\n"),
    "## References",
    references.join("\n"),
    "## The contract",
    [...under("operations"), ...under("contract/")].join("\n"),
    "## Optional",
    [`- [Everything in one file](llms-full.txt)`, ...under("decisions")].join("\n"),
    "",
  ].join("\n\n");
}
