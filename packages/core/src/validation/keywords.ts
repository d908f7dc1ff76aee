const annotations = new Set(
  "title description summary examples example deprecated readOnly writeOnly externalDocs xml $comment".split(" "),
);

/** Whether a key of a schema is written for readers and judges nothing. Validators written out as code would carry it along. */
export function isAnnotation(key: string): boolean {
  return annotations.has(key) || key.startsWith("x-");
}
