import { arrow, box, label, type Drawing } from "./svg.ts";

/** What is generated from the documents, and how a program reaches the services. */
export const architecture: Drawing = {
  title: "Everything is built on the documents",
  text: "The OpenAPI documents are edited by hand. The typed clients, the mocks, this site, and the checks of each change are built on them. A program calls a client. The client calls the mock, the local server, or the real services; all three follow the same documents. The local server keeps its state in one SQLite file, passes chat to a backend and training jobs to a trainer, which writes checkpoints that the backend reads.",
  width: 680,
  height: 470,
  parts: [
    box(240, 10, 200, 50, ["OpenAPI documents"], "strong"),
    ...["clients", "mocks", "this site", "checks of changes"].map((name, index) => {
      const x = 10 + index * 170;
      return arrow(`M340 60V80H${x + 75}V100`) + box(x, 100, 150, 40, [name]);
    }),
    box(10, 200, 150, 50, ["your program"], "strong"),
    arrow("M85 200V144"),
    label(95, 176, "calls", { anchor: "start", kind: "note" }),
    arrow("M160 120H166V225H246"),
    label(206, 216, "HTTP", { kind: "note" }),
    box(250, 180, 180, 90, ["mock, local server,", "or the real services"]),
    arrow("M255 140V176"),
    label(455, 200, ["training", "inference", "auxiliary"], { anchor: "start", kind: "note" }),
    `<path d="M340 270V300" class="arrow dashed"/>`,
    label(350, 292, "inside the local server", { anchor: "start", kind: "note" }),
    box(20, 310, 180, 50, ["SQLite file:", "models, jobs, events"]),
    box(250, 310, 180, 50, ["trainer", "(your program)"], "strong"),
    box(480, 310, 180, 50, ["chat backend", "(vLLM, tiny, …)"], "strong"),
    `<path d="M110 310V300H570V310" class="arrow plain"/>`,
    box(250, 400, 410, 50, ["checkpoints: a folder for each step"]),
    arrow("M340 360V396"),
    label(350, 384, "writes", { anchor: "start", kind: "note" }),
    arrow("M570 400V364"),
    label(580, 384, "reads", { anchor: "start", kind: "note" }),
  ],
};
