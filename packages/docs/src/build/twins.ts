/** What agents read: a Markdown twin of every page and reference, `llms.txt` and `llms-full.txt`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationAddress, twinAddress } from "../reference/addresses.ts";
import type { Service } from "../reference/services.ts";
import { order } from "../sidebar.ts";
import { put } from "./files.ts";
import { pageText, type PageText } from "./page-text.ts";

export interface Twin extends PageText {
  /** From the root of the site: `/guides/chat/`. */
  readonly address: string;
  readonly path: string;
}

/** The position of a page in the order of the site. */
function rank(page: string): number {
  const at = order.indexOf(page.replace(/\/?index\.html$/, ""));
  return at < 0 ? order.length : at;
}

const instructions = `Instructions:

- Call the services through the typed clients (\`@trainyard/training\`, \`@trainyard/inference\`, \`@trainyard/auxiliary\`) where you write
  TypeScript; otherwise send JSON with \`Authorization: Bearer <API_KEY>\`.
- Properties of requests and responses are in snake case (\`base_model\`), options of the clients in camel case (\`timeoutMs\`).
- If the outcome of Create Model, Create Rl Training Job, Create Sft Training Job or Log is unknown, resend it only with an \`Idempotency-Key\`; Create Model also with \`return_existing: true\`.
- An invalid request is a 422 of training and auxiliary, and a 400 of inference.
- Facts marked \`proposed\` may change (see "Sources of the facts"). Rely on all others.
- If you have no service, \`npx -y pnpm@12 start\` in the repository serves all three at http://127.0.0.1:4010, with state; it prints the key.
- Every page has a Markdown twin: its address without the last slash, and \`.md\`. One operation: \`reference/<service>/<method>.md\`; one
  schema: \`reference/<service>/schemas/<Name>.md\`.`;

/** Writes all of these into the built site, and returns the pages. */
export async function writeTwins(folder: string, services: readonly Service[]): Promise<readonly Twin[]> {
  const pages = globSync("**/index.html", { cwd: folder })
    .map((page) => page.replaceAll("\\", "/"))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const twins = await Promise.all(
    pages.map(async (page): Promise<Twin> => {
      const address = `/${page.replace(/index\.html$/, "")}`;
      const path = twinAddress(address).slice(1);
      return { address, path, ...(await pageText(readFileSync(join(folder, page), "utf8"), path)) };
    }),
  );
  for (const { path, markdown } of twins) put(folder, path, markdown);
  put(folder, "llms.txt", list(twins, services));
  const files = new Map(
    services.map(({ name, document }) => [`reference/${name}`, `All pages of the reference: ${document.title}`]),
  );
  files.set("concepts/", "All concepts").set("guides/", "All guides").set("contract/", "How the contract changes");
  const index = [...files].map(([prefix, title]) => {
    const own = twins.filter(({ path }) => path.startsWith(prefix)).map(({ markdown }) => markdown);
    const file = `llms-${prefix.replace(/^reference|\//g, "")}.txt`;
    const text = [instructions, ...own].join("\n\n---\n\n");
    put(folder, file, text);
    return `- [${title}](${file}): ${own.length} pages, ${Math.round(text.length / 1000)} kB`;
  });
  put(folder, "llms-full.txt", ["# Trainyard: whole texts", instructions, ...index, ""].join("\n\n"));
  return twins;
}

function list(twins: readonly Twin[], services: readonly Service[]): string {
  const under = (prefix: string): string[] =>
    twins
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, title, description }) => `- [${title}](${path}): ${description}`);
  const references = services.flatMap((service) => {
    const { title, summary, version, operations } = service.document;
    const file = `openapi/${service.name}/${version}/openapi`;
    return [
      `- [${title}](reference/${service.name}.md): ${summary}. As OpenAPI 3.1: [YAML](${file}.yaml), [JSON](${file}.json)`,
      ...operations
        .filter(({ clientMethod }) => clientMethod !== undefined)
        .map((operation) => {
          const twin = twinAddress(operationAddress(service, operation)).slice(1);
          return `  - [${operation.name}](${twin}): ${operation.summary}, \`${operation.method} ${operation.path}\``;
        }),
    ];
  });
  return [
    "# Trainyard",
    "> The contract of three AI services (training, inference, auxiliary) as OpenAPI 3.1 documents, and everything that is built on them: typed clients, mocks, references.",
    instructions,
    "## Concepts",
    under("concepts/").join("\n"),
    "## Guides",
    under("guides/").join("\n"),
    "## References",
    references.join("\n"),
    "## The contract",
    [...under("operations"), ...under("packages"), ...under("contract/")].join("\n"),
    "## Optional",
    [
      `- [Whole texts: all guides, all concepts and each reference, a file each](llms-full.txt)`,
      ...under("decisions"),
    ].join("\n"),
    "",
  ].join("\n\n");
}
