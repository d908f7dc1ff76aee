import { isObject } from "@trainyard/core/validation";
import { isPerformed, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { idsIn } from "./reads.ts";

/**
 * What was created is in the lists: of its own service, where there is one at the address of its creation, and among the models
 * of a service that says that it lists those that are available.
 */
export async function lookForCreated(run: Run, created: readonly Exchange[]): Promise<void> {
  for (const creation of created) {
    const value = creation.answer.json?.value;
    if (creation.operation === undefined || !isObject(value)) continue;
    const { id, entity, project, name } = value;
    for (const service of run.services) {
      for (const operation of service.document.operations) {
        const isOwn = service === creation.service && operation.path === creation.operation.path;
        const isOfModels =
          /\bmodels that are available\b/.test(operation.description) &&
          [entity, project, name].every((one) => typeof one === "string");
        if (operation.method !== "GET" || operation.path.includes("{") || (!isOwn && !isOfModels)) continue;
        const exchange = await run.send(service, operation, {}, { tried: `after ${creation.operation.name}` });
        const wanted = isOwn ? String(id) : `artifact:///${String(entity)}/${String(project)}/${String(name)}`;
        if (!isPerformed(exchange) || idsIn(exchange.answer.json?.value).some((one) => one.startsWith(wanted)))
          continue;
        run.report(exchange, {
          pointer: operation.pointer,
          says: operation.description,
          seen: `no ${wanted}, although it was created`,
        });
      }
    }
  }
}
