import { markdownTable } from "@trainyard/terminal/table";
import type { Suite } from "./corpus.ts";
import type { Examined } from "./examine.ts";

/** What was counted for a document, and the errors of its client's compilation. */
export interface Row extends Examined {
  readonly name: string;
  readonly errors: readonly string[];
}

const sum = (rows: readonly Row[], count: (row: Row) => number): number =>
  rows.reduce((whole, row) => whole + count(row), 0);

/** One line of the table. */
function cellsOf(rows: readonly Row[]): string[] {
  const operations = sum(rows, (row) => row.operations);
  const generated = sum(rows, (row) => row.generated);
  const counts = [
    sum(rows, ({ errors }) => errors.length),
    sum(rows, ({ own }) => own),
    sum(rows, ({ prism }) => prism),
    sum(rows, ({ undeclared }) => undeclared.length),
    sum(rows, ({ invalid }) => invalid.length),
    sum(rows, ({ findings }) => findings.length),
    sum(rows, ({ ofExamples }) => ofExamples),
    sum(rows, ({ crashes }) => crashes.length),
  ];
  return [`${generated} of ${operations}`, ...counts.map(String)];
}

/** What is not as it should be in a document, each with its reason. */
function exceptionsOf({ name, refused, errors, own, prism, undeclared, invalid, findings, crashes }: Row): string[] {
  const kinds: [what: string, lines: readonly string[]][] = [
    ["not generated", refused],
    ["does not compile", errors],
    ["fewer 2xx than Prism", own < prism ? [`${own} : ${prism}`] : []],
    ["5xx", undeclared],
    ["violates its schema", invalid],
    ["finding", findings],
    ["crash", crashes],
  ];
  return kinds.flatMap(([what, lines]) =>
    lines.map((line) => `- ${name}: ${what}: ${line.split("\n")[0]?.slice(0, 300)}`),
  );
}

/** The results as Markdown. */
export function tableOf(suites: readonly Suite[], rows: ReadonlyMap<string, Row>): string {
  const head = ["suite", "version", "document", "generated"];
  const columns = ["`tsc`", "mock 2xx", "Prism 2xx", "5xx", "invalid", "findings", "of examples", "crashes"];
  const of = ({ strangers }: Suite) => strangers.flatMap(({ name }) => rows.get(name) ?? []);
  const lines = suites.flatMap((suite) => {
    const each = suite.isShownByDocument ? of(suite).map((row) => [row.name, ...cellsOf([row])]) : [];
    const whole = each.length === 1 ? [] : [["all", ...cellsOf(of(suite))]];
    return [...each, ...whole].map((cells) => [suite.name, suite.version, ...cells]);
  });
  const titled = suites.flatMap((suite) => {
    const exceptions = of(suite).flatMap(exceptionsOf);
    return exceptions.length > 0 ? [`## Exceptions: ${suite.name}\n\n${exceptions.join("\n")}\n`] : [];
  });
  return [
    `# Documents of other people

Written by \`pnpm exec vitest run --project strangers-contracts -u\`, and checked without \`-u\`. Each document is read, upgraded if it is OpenAPI 3.0,
generated, compiled with \`tsc --strict\`, and served. Our mock and Prism get the same request of each operation: a path parameter
is its example, else the first value of its \`enum\`, else 1 for a number, else \`abc\`; required queries and a required body are
generated from their schemas; the key is the one that the document asks for; \`Prefer: code=\` is the lowest declared 2xx. \`5xx\`:
responses of our mock that the document does not declare. \`invalid\`: responses made without an example that violate their schema.
\`findings\`: what \`verify\` reports about our mock; those about values that the document itself shows are \`of examples\`.
`,
    `${markdownTable([[...head, ...columns], ...lines])}\n`,
    ...titled,
  ].join("\n");
}
