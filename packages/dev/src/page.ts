import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decorate } from "@trainyard/docs/decorate";
import { redocly } from "./redocly.ts";

const configuration = fileURLToPath(import.meta.resolve("@trainyard/docs/redocly.yaml"));

/** Makes the page of a service's reference from its bundle, as the site has it but for the site's own frame. */
export async function referencePage(service: string, bundleFile: string, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trainyard-reference-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    const document = decorate({ service, read: () => JSON.parse(readFileSync(bundleFile, "utf8")) });
    await writeFile(input, JSON.stringify(document));
    const args = ["build-docs", input, "--config", configuration, "--inlineBundle", "--output", output];
    const { code, text } = await redocly(args, folder, signal);
    if (code !== 0) throw new Error(`The reference of ${service} cannot be made.\n${text.trim()}`);
    return (await readFile(output, "utf8")).replace("</body>", () => `${follow}</body>`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads the page anew when it is made anew; the place in it stays, as it is in the address. */
const follow = `<script>new EventSource("events").onmessage = () => location.reload();</script>`;
