/** `isLogRequest`: the name of a schema's validator in the module `/validators`. */
export function guardName(schema: string): string {
  return `is${schema}`;
}
