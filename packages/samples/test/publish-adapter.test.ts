import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const trainers = join(import.meta.dirname, "../trainers");
const python = spawnSync("python3", ["-c", "import json"]).status === 0;

/** Publishes a job's adapter, and looks for it as vLLM's resolver does: the folder joined with the model's name. */
const program = `
import json, os, sys
sys.path.insert(0, ${JSON.stringify(trainers)})
sys.dont_write_bytecode = True
from publish_adapter import publish_adapter
job, checkpoints, adapters, name = json.loads(sys.argv[1])
publish_adapter(job, checkpoints, adapters)
publish_adapter(job, checkpoints, adapters)
print(json.dumps(os.path.exists(os.path.join(adapters, name, "adapter_config.json"))))
`;

it.skipIf(!python)(
  "an adapter is found by its name once its checkpoint is stored",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "trainyard-adapters-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [checkpoints, adapters] = [
      join(folder, "checkpoints"),
      join(folder, "adapters"),
    ];
    const job = {
      model: {
        id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
        entity: "harbor",
        project: "support-desk",
        name: "agent-1",
      },
      output: { step: 2 },
    };
    const name = "artifact:///harbor/support-desk/agent-1:step2";
    const isFound = (): unknown => {
      const args = JSON.stringify([job, checkpoints, adapters, name]);
      const { stdout, stderr } = spawnSync("python3", ["-c", program, args], {
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    };
    // The job has not ended: its folder is not there yet.
    expect(isFound()).toBe(false);
    const step = join(checkpoints, job.model.id, "step2");
    mkdirSync(step, { recursive: true });
    writeFileSync(join(step, "adapter_config.json"), "{}");
    expect(isFound()).toBe(true);
    const link = join(adapters, "artifact:/harbor/support-desk/agent-1:step2");
    expect(readFileSync(join(link, "adapter_config.json"), "utf8")).toBe("{}");
  },
);
