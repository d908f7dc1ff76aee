import { Failure } from "../failure.ts";
import { capital } from "../json.ts";
import { installText } from "./install-text.ts";
import { fit, sentence } from "./naming.ts";
import { type NewOperation, planOperation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { inYaml, withEntry } from "./yaml.ts";

/** The method, verb and path are those of its first operation; by default, that returns the health of the service. */
export interface NewService
  extends Pick<NewOperation, "basis" | "description">, Partial<Pick<NewOperation, "method" | "verb" | "path">> {
  readonly name: string;
  readonly title?: string | undefined;
}

/** Names that Windows reserves, and folders of `openapi` that are not services. */
const reserved = new Set(["common", "flows", "aux", "con", "nul", "prn", "com1", "lpt1"]);

/** Plans a service: its document with a first operation, its errors, and its client's package. */
export function planService(plan: Plan, request: NewService): void {
  const { name, basis } = request;
  fit("name of a service", name, /^[a-z][a-z0-9]*$/, "one word in small letters, such as billing");
  if (reserved.has(name))
    throw new Failure(`A service cannot be called "${name}": that name is reserved. Choose another.`);
  if (plan.has(`openapi/${name}`)) throw new Failure(`openapi/${name} already exists. Choose another name.`);
  if (plan.has(`packages/${name}`)) throw new Failure(`packages/${name} already exists. Choose another name.`);
  const title = request.title ?? `${capital(name)} service`;
  const description = sentence(request.description ?? `A client talks to it through @trainyard/${name}`);
  const method = request.method ?? "status.get";
  plan.fill("document", { name, title: inYaml(title), description: inYaml(description), basis });
  const { verb = "get", path = "/status" } = request;
  const first = request.method === undefined ? "Whether the service works" : undefined;
  planOperation(plan, { service: name, method, verb, path, basis, description: first });
  const called = title.charAt(0).toLowerCase() + title.slice(1);
  plan.fill("client", {
    name,
    Name: capital(name),
    NAME: name.toUpperCase(),
    title: called,
    install: installText(plan.root, [name]),
    about: JSON.stringify(`Typed client of the ${called}`),
  });
  for (const user of users) {
    const file = `packages/${user}/package.json`;
    if (plan.has(file)) plan.edit(file, (text) => withDependency(text, `@trainyard/${name}`));
  }
  plan.notes.push(
    `Mock, local server, site and samples have ${name} after \`npx -y pnpm@12 generate\`. The local server answers it by example.`,
  );
  plan.edit("redocly.yaml", (text) => withEntry(text, ["apis", name], { root: `openapi/${name}/openapi.yaml` }));
}

/** The packages that serve or show every service. */
const users = ["mock", "samples", "server"];

/** A manifest with one more dependency, sorted. */
function withDependency(text: string, name: string): string {
  const manifest: { dependencies?: Readonly<Record<string, string>> } = JSON.parse(text);
  const all = Object.entries({ ...manifest.dependencies, [name]: "workspace:^" }).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(all) }, null, 2)}\n`;
}
