import { Failure } from "../failure.ts";
import { planOperation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { capital, fit, sentence } from "./naming.ts";
import { placeholder, planDocument } from "./service-document.ts";
import { planPackage } from "./service-package.ts";
import { insertYaml } from "./yaml.ts";

export interface NewService {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly basis: string;
  /** Its first operation; by default, one that returns the health of the service. */
  readonly method?: string | undefined;
  readonly verb?: string | undefined;
  readonly path?: string | undefined;
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
  planDocument(plan, name, title, description, basis);
  planOperation(plan, {
    service: name,
    method,
    verb: request.verb ?? "get",
    path: request.path ?? "/status",
    basis,
  });
  plan.edit(`openapi/${name}/openapi.yaml`, (text) => text.replace(placeholder.tag, "").replace(placeholder.path, ""));
  planPackage(plan, name, title);
  plan.note(
    `Mock, local server, site and samples have ${name} after \`npx -y pnpm@12 generate\`. The local server answers it by example.`,
  );
  plan.edit("redocly.yaml", (text) => insertYaml(text, ["apis"], `${name}:\n  root: openapi/${name}/openapi.yaml`));
}
