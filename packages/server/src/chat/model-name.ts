/** A trained model as it is named in chat: `artifact:///entity/project/name`, with `:step3` or `:latest`. */
export interface TrainedName {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** The newest checkpoint if it is omitted. */
  readonly step: number | undefined;
}

/**
 * Reads the name of a trained model. Undefined for the name of a base model, `malformed` for a name that is neither.
 */
export function parseTrainedName(name: string): TrainedName | "malformed" | undefined {
  if (!name.startsWith("artifact:")) return undefined;
  const parts = /^artifact:\/\/\/([^/:]+)\/([^/:]+)\/([^/:]+)(?::(?:step(\d{1,15})|latest))?$/.exec(name);
  const [, entity, project, model, step] = parts ?? [];
  if (entity === undefined || project === undefined || model === undefined) return "malformed";
  return { entity, project, name: model, step: step === undefined ? undefined : Number(step) };
}

/** The name of a trained model at a step. */
export function trainedName({ entity, project, name }: Omit<TrainedName, "step">, step?: number): string {
  return `artifact:///${entity}/${project}/${name}${step === undefined ? "" : `:step${step}`}`;
}

/**
 * Normalizes the name of a model or of data to the scheme `artifact:///`. Clients in use put the name of their operator
 * in front (`acme-artifact:///`). Other text is returned unchanged.
 */
export function plainArtifact(name: string): string {
  return name.replace(/^[a-z][a-z0-9]*-artifact:\/\/\//, "artifact:///");
}
