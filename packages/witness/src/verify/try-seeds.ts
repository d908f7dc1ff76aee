import { look, trueServer } from "./server.ts";
import { seeds } from "./seeds.ts";
const wanted = process.argv.slice(2).join(" ");
for (const seed of seeds) {
  if (wanted && !seed.title.includes(wanted)) continue;
  const server = await trueServer();
  const v = await look(server, seed, { ...(seed.write ? {} : { write: undefined }) });
  const certainty = seed.certainty ?? "contradicts";
  const hit = v.findings.filter(
    (f) => f.certainty === certainty && seed.names.test(`${f.place.pointer} ${f.says} ${f.seen} ${f.request}`),
  );
  console.log(
    hit.length > 0 ? "found " : "MISSED",
    seed.title,
    `(${v.findings.length} findings, ${v.calls} calls, ${v.milliseconds} ms)`,
  );
  if (hit.length === 0 || wanted)
    for (const f of v.findings)
      console.log(
        `      ${f.certainty} ${f.operation} ${f.place.pointer}:${f.place.line} | ${f.says} | ${f.seen} | ${f.request}`,
      );
  await server.close();
}
