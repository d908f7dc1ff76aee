/** Runs a sample in a page, and shows its output and each request with its response. */
import type { FromWorker } from "../protocol.ts";
import { Session } from "../session.ts";
import { Panel } from "./panel.ts";
import { styles } from "./part.ts";

let session: Session | undefined;
let current: Panel | undefined;
let styled: Promise<unknown> | undefined;

/** Adds the panel to an element that names a sample, and runs the sample. */
export async function show(element: HTMLElement, home: string): Promise<void> {
  styled ??= styles(document.head, `${home}run.css`);
  await styled;
  const { sample = "" } = element.dataset;
  const panel = new Panel(element, {
    run: () => void run(panel, sample, home),
    stop: () => {
      session?.stop();
      end("Stopped. The next run begins with the services as they were at first.");
    },
    startOver: () => {
      if (isBusy(panel)) return;
      session?.stop();
      current = undefined;
      panel.startsOver();
    },
  });
  await run(panel, sample, home);
}

/** Whether another sample is running, with the same services. */
function isBusy(panel: Panel): boolean {
  const isOther = current !== undefined && current !== panel;
  if (isOther) panel.says("Another sample of this page is running. Wait for it, or stop it.");
  return isOther;
}

async function run(panel: Panel, sample: string, home: string): Promise<void> {
  if (isBusy(panel)) return;
  current = panel;
  session ??= new Session(home, {
    onMessage: receive,
    died: (reason) =>
      end(`The services in this page ended: ${reason} The next run starts them again, as they were at first.`, true),
  });
  panel.begins(session.isUp ? "Running" : "Starting the services in this page");
  await session.send({ kind: "run", sample, ...panel.edited });
}

function receive(message: FromWorker): void {
  if (message.kind === "done") end(message.error, message.error !== undefined);
  else if (message.kind === "print") current?.prints(message.text, message.isError);
  else if (
    message.kind === "request" ||
    message.kind === "answer" ||
    message.kind === "part" ||
    message.kind === "end"
  ) {
    current?.requests.receive(message);
  }
}

function end(sentence?: string, isError = false): void {
  current?.ends(sentence, isError);
  current = undefined;
}
