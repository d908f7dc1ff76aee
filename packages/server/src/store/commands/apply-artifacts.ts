import { hash } from "node:crypto";
import { object, text } from "../row.ts";
import { readArtifact, type ArtifactName } from "./artifacts.ts";
import type { Context } from "./context.ts";
import { StoreRefusal } from "../refusal.ts";
import { stagedRows } from "./staged-rows.ts";

/** Applies the lines of one artifact. A version is immutable: importing the same content again changes nothing. */
export function applyArtifacts(context: Context, importId: string): void {
  let name: ArtifactName | undefined;
  const lines: string[] = [];
  for (const row of stagedRows(context, importId)) {
    const record = object(row, "record");
    name ??= {
      entity: text(record, "entity"),
      project: text(record, "project"),
      name: text(record, "name"),
      version: text(record, "version"),
    };
    lines.push(text(record, "data"));
  }
  if (name === undefined) return;
  const content = `${lines.join("\n")}\n`;
  const existing = readArtifact(context, name);
  if (existing === content) return;
  if (existing !== undefined) {
    throw new StoreRefusal(
      `The artifact ${name.name}:${name.version} exists with another content. Choose a new version.`,
    );
  }
  context.database.run(
    "insert into artifacts(entity, project, name, version, digest, lines) values(:entity, :project, :name, :version, :digest, :content)",
    {
      ...name,
      digest: hash("sha256", content, "hex"),
      content,
    },
  );
}
