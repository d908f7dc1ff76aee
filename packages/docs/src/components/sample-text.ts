/** The files of packages/samples, unchanged. The tests run them. */
const texts: Record<string, string> = import.meta.glob<string>(
  "../../../samples/{training,inference,auxiliary,programs,programs/learning,routes,test,testing,trainers}/*.{ts,tsx,mjs,sh,py,html}",
  { query: "?raw", import: "default", eager: true },
);

/**
 * The text of a sample, by its path in packages/samples.
 * @throws Error if the file does not exist, so that no page can refer to a missing one.
 */
export function sampleText(file: string): string {
  const text = texts[`../../../samples/${file}`];
  if (text === undefined) throw new Error(`There is no sample packages/samples/${file}.`);
  // Comments for our own checks are of no use to readers.
  return text.replaceAll(/^\/\/ @boundaries-ignore.*\n/gm, "").trimEnd();
}
