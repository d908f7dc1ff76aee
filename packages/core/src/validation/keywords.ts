const annotations = new Set(
  "title description summary examples example deprecated readOnly writeOnly externalDocs xml $comment".split(" "),
);

/** Whether a keyword is an annotation without effect on validation. Generated validators leave these out. */
export function isAnnotation(key: string): boolean {
  return annotations.has(key) || key.startsWith("x-");
}
