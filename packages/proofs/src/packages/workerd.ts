import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { started } from "@trainyard/release/run";
import { withMock } from "@trainyard/release/program";
import { build } from "esbuild";
import { program, runFolder } from "./program.ts";
import { checkRoute } from "./route.ts";
import { obtain, type Skip } from "./runtimes.ts";

// Without `nodejs_compat`, so that no API of Node is available.
const configuration = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "network", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-09-01",
  globalOutbound = "network",
);
`;

// The calls at the root; below the address of a service, the sample route, which hands on its streams.
const worker = `import { createInferenceClient } from "@trainyard/inference";
import { chatRoute } from "./chat.ts";
import calls from "./worker.ts";

export default {
  fetch(request) {
    const [, service] = new URL(request.url).pathname.split("/");
    if (!service) return calls.fetch(request);
    return chatRoute(createInferenceClient({ baseUrl: decodeURIComponent(service), apiKey: "a-key", maxRetries: 0 }))(request);
  },
};
`;

/** Installs workerd, and runs the calls and the sample route in a worker, against the packed mock. */
export async function callsInWorkerd(skip: Skip): Promise<void> {
  const files = ["@cloudflare/workerd-*/bin/workerd", "@cloudflare/workerd-*/bin/workerd.exe"];
  const workerd = obtain({ title: "workerd", from: "workerd@1", files }, skip);
  const folder = join(runFolder, "worker");
  mkdirSync(folder, { recursive: true });
  await build({
    stdin: { contents: worker, resolveDir: join(program, "src") },
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    target: "es2023",
    conditions: ["workerd", "worker"],
    logLevel: "silent",
  });
  writeFileSync(join(folder, "config.capnp"), configuration);
  await withMock(program, async ({ url }) => {
    const args = ["serve", "config.capnp", "--control-fd=1"];
    const { child, match } = await started(workerd, args, { cwd: folder }, /"port":\s*(\d+)/);
    try {
      const response = await fetch(`http://127.0.0.1:${match[1]}/?${new URLSearchParams({ mock: url })}`);
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      await checkRoute(async (service) => ({
        url: `http://127.0.0.1:${match[1]}/${encodeURIComponent(service)}`,
        close: () => {},
      }));
    } finally {
      child.kill();
    }
  });
}
