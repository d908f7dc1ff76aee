import { posix } from "node:path";
import { Failure } from "../failure.ts";
import { type JsonObject, isObject } from "../json.ts";
import type { Plan } from "./plan.ts";
import type { Follow } from "./sample.ts";
import { readYaml } from "./yaml.ts";

/** The hand-written files of one service, including planned ones. */
export class Source {
  readonly plan: Plan;
  readonly service: string;
  readonly folder: string;

  /** @throws {@link Failure} if the service does not exist */
  constructor(plan: Plan, service: string) {
    this.plan = plan;
    this.service = service;
    this.folder = `openapi/${service}`;
    if (!plan.has(this.file("openapi.yaml"))) {
      const services = plan.list("openapi").filter((name) => plan.has(`openapi/${name}/openapi.yaml`));
      throw new Failure(`There is no service "${service}". The services are: ${services.join(", ")}.`);
    }
  }

  file(path: string): string {
    return `${this.folder}/${path}`;
  }

  read(path: string): JsonObject {
    return readYaml(this.plan.read(this.file(path)), this.file(path));
  }

  /**
   * The file of a schema, as a folder of the service refers to it. The service's own schema takes precedence over a
   * common one.
   */
  schema(name: string): string | undefined {
    if (this.plan.has(this.file(`schemas/${name}.yaml`))) return `../schemas/${name}.yaml`;
    return this.plan.has(`openapi/common/schemas/${name}.yaml`) ? `../../common/schemas/${name}.yaml` : undefined;
  }

  /** Resolves a `$ref` in one of the service's folders, such as `paths`. */
  follow(folder: string): Follow {
    return follower(this.plan, posix.join(this.folder, folder));
  }

  /** Every operation of the document with its file: `GET /v1/models` and the content of the file. */
  operations(): {
    readonly verb: string;
    readonly path: string;
    readonly file: string;
    readonly operation: JsonObject;
  }[] {
    const { paths } = this.read("openapi.yaml");
    return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
      Object.entries(isObject(item) ? item : {}).flatMap(([verb, entry]) => {
        const file = isObject(entry) ? entry["$ref"] : undefined;
        if (typeof file !== "string") return [];
        return [{ verb, path, file, operation: this.read(file) }];
      }),
    );
  }
}

/** Resolves a `$ref` in a folder. */
export function follower(plan: Plan, folder: string): Follow {
  return (target) => {
    const file = posix.join(folder, target.split("#")[0] ?? "");
    return { schema: readYaml(plan.read(file), file), follow: follower(plan, posix.dirname(file)) };
  };
}
