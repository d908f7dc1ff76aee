import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** Identifies a version of an artifact. */
export interface ArtifactName {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly version: string;
}

/** The lines of an artifact, as they were imported. */
export function readArtifact({ database }: Context, name: ArtifactName): string | undefined {
  const row = database.get(
    `select lines from artifacts
     where entity = :entity and project = :project and name = :name and version = :version`,
    { ...name },
  );
  return row && text(row, "lines");
}
