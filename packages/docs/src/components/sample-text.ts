/** The files of packages/samples, as they are: the tests run them. */
const texts: Record<string, string> = import.meta.glob<string>(
  "../../../samples/{training,inference,auxiliary,programs,programs/learning,shell,test,testing,trainers}/*.{ts,tsx,mjs,sh,py,svg}",
  { query: "?raw", import: "default", eager: true },
);

/**
 * The text of a sample, by its path in packages/samples.
 * @throws Error for a file that is not there, so that no page can name one.
 */
export function sampleText(file: string): string {
  const text = texts[`../../../samples/${file}`];
  if (text === undefined) throw new Error(`There is no sample packages/samples/${file}.`);
  // What is said to our own checks says nothing to readers.
  return text.replaceAll(/^\/\/ @boundaries-ignore.*\n/gm, "").trimEnd();
}
