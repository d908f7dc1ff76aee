import { readFileSync } from "node:fs";
import { decorate } from "@trainyard/docs/decorate";
import type { Redoc } from "./redoc.ts";

/** The page of a service's reference, as the site has it but for the site's own frame. It is drawn where it is read. */
export function referencePage(service: string, bundleFile: string, { file, options }: Redoc): string {
  const document = decorate({ service, read: () => JSON.parse(readFileSync(bundleFile, "utf8")) });
  // A description may hold `</script>`: as it is, it would end this one.
  const definition = JSON.stringify(document).replaceAll("<", String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${service}</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<div id="redoc"></div>
<script type="module">
import { init } from "/${file}";
init(${definition}, ${options}, document.getElementById("redoc"));
// The place in the page stays, as it is in the address.
new EventSource("events").onmessage = () => location.reload();
</script>
</body>
</html>
`;
}
