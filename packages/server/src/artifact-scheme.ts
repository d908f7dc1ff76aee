/**
 * Normalizes the name of a model or of data to the scheme `artifact:///`. Clients in use put the name of their operator
 * in front (`acme-artifact:///`). Other text is returned unchanged.
 */
export function plainArtifact(name: string): string {
  return name.replace(/^[a-z][a-z0-9]*-artifact:\/\/\//, "artifact:///");
}
