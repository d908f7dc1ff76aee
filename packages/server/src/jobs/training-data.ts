import { rename, writeFile } from "node:fs/promises";
import { plainArtifact } from "../chat/model-name.ts";
import type { ArtifactName } from "../store/commands/artifacts.ts";
import type { Store } from "../store/store.ts";
import { exists } from "./folders.ts";

/** The most that is downloaded for a job, in bytes. */
const downloadLimit = 2 ** 30;

/** Reads `artifact:///entity/project/name:version`. Undefined if the text has another form. */
export function parseArtifactUrl(url: string): ArtifactName | undefined {
  const [, entity, project, name, version] =
    /^artifact:\/\/\/([^/]+)\/([^/]+)\/([^/:]+):([^/:]+)$/.exec(plainArtifact(url)) ?? [];
  if (entity === undefined || project === undefined || name === undefined || version === undefined) return undefined;
  return { entity, project, name, version };
}

/** Why the address of training data is invalid, as a sentence. */
export function dataUrlFault(url: string, hosts: readonly string[]): string | undefined {
  if (parseArtifactUrl(url) !== undefined) return undefined;
  const form = "Training data is `artifact:///entity/project/name:version`, or an address of a host that is allowed.";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return form;
  const { host, hostname } = new URL(url);
  if (hosts.includes(host) || hosts.includes(hostname)) return undefined;
  return `Training data may not come from ${host}. Allow it with --data-host ${host}, or import it as an artifact.`;
}

/**
 * Writes the data of a job to a file. An existing file is complete, and is kept.
 *
 * @throws Error whose message says what to do
 */
export async function fetchTrainingData(
  { url, file, entity, signal }: { url: string; file: string; entity: string; signal: AbortSignal },
  store: Store,
): Promise<void> {
  if (await exists(file)) return;
  const part = `${file}.part`;
  await fetchInto(part, { url, entity, signal }, store);
  await rename(part, file);
}

async function fetchInto(
  file: string,
  { url, entity, signal }: { url: string; entity: string; signal: AbortSignal },
  store: Store,
): Promise<void> {
  const artifact = parseArtifactUrl(url);
  if (artifact !== undefined) {
    // Artifacts of other entities are treated as if they did not exist.
    const lines = artifact.entity === entity ? await store.call("artifacts.read", artifact) : undefined;
    if (lines === undefined) {
      throw new Error(
        `The artifact ${url} does not exist on this server. Import it with: trainyard import artifacts FILE --as ${url}`,
      );
    }
    return writeFile(file, lines);
  }
  // A redirect could lead to a host that is not allowed.
  const response = await fetch(url, { signal, redirect: "error" });
  if (!response.ok || response.body === null) {
    throw new Error(`The training data could not be downloaded: ${new URL(url).host} returned ${response.status}.`);
  }
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size > downloadLimit) throw new Error(`The training data is larger than ${downloadLimit} bytes.`);
      controller.enqueue(chunk);
    },
  });
  await writeFile(file, response.body.pipeThrough(limit), { signal });
}
