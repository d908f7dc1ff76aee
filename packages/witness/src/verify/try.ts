import { look, trueServer } from "./server.ts";
const server = await trueServer();
const only = process.argv.slice(2);
const log: string[] = [];
const v = await look(server, undefined, {
  told: (s, t) => log.push(`${s.method} ${s.url.replace(/^https?:\/\/[^/]+/, "")} ${t}`),
  ...(only.includes("--read") ? { write: undefined } : {}),
});
for (const f of v.findings)
  console.log(
    `${f.certainty} ${f.service} ${f.operation} | ${f.place.file}:${f.place.line} ${f.place.pointer} [${f.basis}]\n   says ${f.says}\n   seen ${f.seen}\n   by ${f.request} x${f.times}`,
  );
console.log(v.notes, v.calls, v.milliseconds, v.left);
if (only.includes("--log")) console.log(log.join("\n"));
await server.close();
