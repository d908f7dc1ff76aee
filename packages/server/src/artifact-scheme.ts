/**
 * The name of a model or of data with the scheme `artifact:///` in its plain form: clients in use put the word of their operator
 * in front (`acme-artifact:///`). Other text stays as it is.
 */
export function plainArtifact(name: string): string {
  return name.replace(/^[a-z][a-z0-9]*-artifact:\/\/\//, "artifact:///");
}
