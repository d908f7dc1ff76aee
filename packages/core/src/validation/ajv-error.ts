/** The fields of Ajv's `ErrorObject` that are used here. */
export interface AjvErrorLike {
  keyword: string;
  /** JSON Pointer to the value. */
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  message?: string;
  /** Set on errors inside `propertyNames`, which concern a property's name instead of its value. */
  propertyName?: string;
}
