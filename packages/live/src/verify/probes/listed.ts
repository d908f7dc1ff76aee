import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import type { RuleId } from "../../generated/rules.ts";
import { isPerformed, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { idsIn } from "./reads.ts";

/** The rule of an operation which says that it lists the models of all projects. */
const listsModels: RuleId = "models-listed";

/**
 * Checks that the lists have what was created: the list at the path of its creation, if there is one, and each list of the
 * available models.
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
          dialect.rules.read(operation.node).some((rule) => rule.id === listsModels) &&
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
