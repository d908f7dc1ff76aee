/** What Ajv says of one failed keyword: the part of its `ErrorObject` that is needed here. */
export interface AjvErrorLike {
  keyword: string;
  /** JSON Pointer to the value. */
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message?: string;
  /** Set on errors inside `propertyNames`, which are about a name and not about the value. */
  propertyName?: string;
}
