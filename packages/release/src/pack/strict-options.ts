/** What a program of another team compiles with, at its strictest: the packages' own declarations are judged as well. */
export const strictOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: false,
  rootDir: "src",
  outDir: "out",
} as const;
