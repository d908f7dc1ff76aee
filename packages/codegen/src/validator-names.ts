/** `isLogRequest`: the validator of a schema, as the module `/validators` exports it. */
export function guardName(schema: string): string {
  return `is${schema}`;
}
