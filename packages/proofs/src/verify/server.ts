import { fileURLToPath } from "node:url";
import { createServer, type LocalServer, type ServerOptions } from "@trainyard/server";
import { readDocument } from "@trainyard/document";
import { flows, verify, type Finding, type LiveService, type Verification, type VerifyOptions } from "@trainyard/live";
import { packages } from "@trainyard/testing/services";
import { proxy, type Mutant } from "./mutant.ts";

export const key = "key-of-harbor";

/** A local server with the resources that the documents' examples name, with these ids of a model and its job, and with a trainer. */
export async function trueServer(
  model = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
  job = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43",
  options: ServerOptions = {},
): Promise<LocalServer> {
  const lines = ['{"type":"training_started","data":{"num_sequences":1}}', '{"type":"training_ended","data":{}}'];
  const print = `process.stdin.resume().on("end", () => console.log(${JSON.stringify(lines.join("\n"))}))`;
  const server = createServer({
    keys: [{ key, entity: "harbor" }],
    trainer: { command: [process.execPath, "-e", print], jobs: 2 },
    ...options,
  });
  const project_id = "harbor/support-desk";
  const id = () => crypto.randomUUID();
  const checkpoints = [0, 1, 2].map((step) => ({ id: id(), step, metrics: { "val/reward": step / 2 } }));
  const name = { entity: "harbor", project: "support-desk", name: "agent-1" };
  await server.import("models", [{ id: model, ...name, base_model: "demo/tiny", checkpoints }]);
  const times = { training_start: "2026-11-04T08:30:05Z", training_end: "2026-11-04T08:41:32Z" };
  const events = lines.map((line) => ({ id: id(), ...JSON.parse(line) }));
  await server.import("jobs", [{ id: job, model_id: model, kind: "rl", status: "completed", ...times, events }]);
  const object = { project_id, object_id: "agent-1-instructions" };
  await server.import("objects", [
    { ...object, val: "Be brief." },
    { ...object, val: "Be kind.", aliases: ["production"], tags: ["b", "a"] },
  ]);
  await server.import(
    "feedback",
    Array.from({ length: 40 }, (_, index) => ({
      id: `f${index}`,
      project_id,
      created_at: new Date(Date.UTC(2026, 10, 4, index % 24, (index * 7) % 60)).toISOString(),
      feedback_type: "score",
      payload: { output: { score: (index % 10) / 10, correct: index % 3 === 0 } },
    })),
  );
  const option = (id: string, name: string, type: string, input: number, output: number) => {
    const pricing = { cents_per_million_input_tokens: input, cents_per_million_output_tokens: output };
    return { model: "tiny", id, name, type, pricing };
  };
  await server.import("hardware", [option("h1", "One", "cpu", 1.5, 2), option("h2", "Two", "gpu", 2, 3)]);
  await server.import("artifacts", [{ messages: [] }], { as: `artifact:///${project_id}/conversations:v3` });
  return server;
}

/** The services of a server or a mock to verify. */
export function liveServices(
  connect: (service: Mutant["service"]) => Pick<LiveService, "baseUrl" | "fetch">,
  apiKey: string,
): LiveService[] {
  // Only the local server has the control interface.
  const services = packages.filter(({ name }) => name !== "local");
  return services.map(({ name, document }) => {
    const { baseUrl, fetch } = connect(name as Mutant["service"]);
    return {
      name,
      document: readDocument(document),
      // An address on this machine, to which a run sends every probe.
      baseUrl: baseUrl.replace(/[\w.]+\.invalid/, "localhost"),
      credentials: { apiKey, accessToken: apiKey, basicKey: apiKey },
      file: fileURLToPath(new URL(`../../../${name}/src/generated/openapi.yaml`, import.meta.url)),
      fetch,
    };
  });
}

/** The services of a server, one of them behind a proxy with a mutant. */
export function servicesOf(server: LocalServer, mutant?: Mutant): LiveService[] {
  return liveServices((name) => server.connect(name, "harbor"), key).map((service) => {
    const { fetch } = service;
    if (fetch === undefined || mutant?.service !== service.name) return service;
    return { ...service, fetch: proxy({ ...service, fetch }, mutant) };
  });
}

/** Verifies a server, or one with a mutant, like `trainyard verify`. */
export function look(server: LocalServer, mutant?: Mutant, options: VerifyOptions = {}): Promise<Verification> {
  return verify(servicesOf(server, mutant), { write: flows(), basis: "proposed", ...options });
}

/** Whether findings name a mutant. */
export function finds({ certainty = "contradicts", names }: Mutant, findings: readonly Finding[]): boolean {
  return findings.some(
    ({ certainty: one, place, says, seen, request }) =>
      one === certainty && names.test(`${place.pointer} ${says} ${seen} ${request}`),
  );
}
