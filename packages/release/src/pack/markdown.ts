import { type ClientManifest, type Entry } from "./manifest.ts";

const intro = `# Packed clients

Each file is what a release would publish. Its name ends in the first letters of its digest, so an address always gives the
same bytes, and a lockfile that names one stays good.`;

const notes = `## What the lines do

- **npm** takes the packages that one needs from the same line.
- **pnpm** is told where they lie by \`overrides\` in \`pnpm-workspace.yaml\`. The line replaces overrides that your project
  has: where it has some, write these beside them by hand. It also needs \`blockExoticSubdeps: false\`, since pnpm 11 and
  newer otherwise take no needed package from a URL; to keep that setting, download the files and give each as
  \`file:./vendor/…\`.
- **Bun** is told where they lie by \`overrides\` in \`package.json\`.

A lockfile holds a file to its integrity from the first install on. To hold it to the one above before that, compare:
\`openssl dgst -sha512 -binary FILE | openssl base64 -A\` prints what stands behind \`sha512-\`.`;

/** The manifest for people: what there is, and how to install it from another repository. */
export function describe({ packages }: ClientManifest): string {
  const rows = packages.map(
    ({ name, version, contractVersion, file, url, integrity, size }) =>
      `| ${name} | ${version} | ${contractVersion ?? "–"} | ${url === null ? file : `[${file}](${url})`} | ${(size / 1024).toFixed(1)} KiB | \`${integrity}\` |`,
  );
  const table = ["| package | version | contract | file | size | integrity |", "| - | - | - | - | - | - |", ...rows];
  return `${[intro, table.join("\n"), ...packages.map(section), notes].join("\n\n")}\n`;
}

function section({ name, needs, install }: Entry): string {
  const needed = needs.length === 0 ? "It needs no other package of this list." : `It needs ${needs.join(", ")}.`;
  return `## ${name}\n\n${needed}\n\n\`\`\`sh\n# npm\n${install.npm}\n# pnpm\n${install.pnpm}\n# Bun\n${install.bun}\n\`\`\``;
}
