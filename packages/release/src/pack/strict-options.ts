/** The strictest compiler options of a program by another team, which also check the packages' own declarations. */
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
