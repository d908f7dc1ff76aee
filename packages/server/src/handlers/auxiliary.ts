import type { HardwareOption } from "@trainyard/auxiliary";
import { refuse, refuseFault } from "@trainyard/host";
import type { Handlers } from "../http/service-types.ts";
import { rawJson } from "../objects/raw-json.ts";
import { MetricError } from "../statistics/metric.ts";
import { planStatistics, RequestError } from "../statistics/statistics.ts";
import type { Store } from "../store/store.ts";

/** The auxiliary service. */
export function auxiliaryHandlers(store: Store, now: () => number): Handlers<"auxiliary"> {
  return {
    "feedback.stats": async ({ owner: entity, body }) => {
      try {
        const { input, answer } = planStatistics(body, now());
        // A project of another entity has no rows here, exactly like an empty project.
        const read = input && owns(entity, body.project_id) ? await store.read("statistics.read", input) : undefined;
        return { status: 200, body: answer(read) };
      } catch (error) {
        if (error instanceof RequestError) return refuseFault(422, ["body", error.field], error.message);
        if (error instanceof MetricError) return refuse(400, error.message, { code: "invalid_metric" });
        throw error;
      }
    },

    "objects.read": async ({ owner: entity, body }) => {
      const { project_id: project, object_id: objectId, digest } = body;
      const withVal = body.metadata_only !== true;
      const withNames = body.include_tags_and_aliases === true;
      const object = owns(entity, project)
        ? await store.call("objects.read", { project, objectId, digest, withVal, withNames })
        : undefined;
      if (object === undefined) return refuse(404, `Obj ${objectId}:${digest} not found`, { code: "not_found" });
      if ("deletedAt" in object) {
        const reason = `Obj ${objectId}:${digest} was deleted`;
        return { status: 404, body: { reason, error_type: "deleted", deleted_at: object.deletedAt } };
      }
      const { val, tags = null, aliases = null, ...fields } = object;
      // As it was written: `1.0` stays `1.0`.
      const value: unknown = val === undefined ? {} : rawJson(val);
      return { status: 200, body: { obj: { ...fields, val: value, tags, aliases } } };
    },

    "hardware.list": async ({ query }) => {
      const options = await store.call("hardware.list", { model: query.model });
      // The document validated them when they were imported.
      return { status: 200, body: { hardware: options as HardwareOption[] } };
    },
  };
}

function owns(entity: string, project: string): boolean {
  return project.startsWith(`${entity}/`);
}
