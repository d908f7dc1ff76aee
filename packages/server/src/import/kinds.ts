/** What can be imported. */
export const importKinds = ["feedback", "objects", "hardware", "artifacts"] as const;
export type ImportKind = (typeof importKinds)[number];
