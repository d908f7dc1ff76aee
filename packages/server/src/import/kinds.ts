/** What can be imported. */
export const importKinds = ["models", "jobs", "feedback", "objects", "hardware", "artifacts"] as const;
export type ImportKind = (typeof importKinds)[number];
