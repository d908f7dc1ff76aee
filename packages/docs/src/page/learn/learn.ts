/** The page that trains a model live: its controls, its status, and the console of the local server in the page. */
import { showConsole } from "@trainyard/console/part";
import { options } from "preact";
import type { FromWorker } from "../protocol.ts";
import { styles } from "../run/part.ts";
import { Session } from "../session.ts";
import { Controls } from "./controls.ts";
import { Feed } from "./feed.ts";
import { Reads } from "./reads.ts";

/** Sets up the page, and starts a run on request. */
export async function watch(element: HTMLElement, home: string): Promise<void> {
  const live = element.querySelector<HTMLElement>(".live");
  if (live === null) throw new Error("The page has no element `.live`.");
  const [own, ofConsole] = await Promise.all([tree(live, `${home}learn.css`), tree(live, `${home}console.css`)]);
  const feed = new Feed(own.parent);
  ofConsole.parent.className = "console";
  // The console reads several responses: they are rendered together, at most once a frame.
  options.debounceRendering = requestAnimationFrame;
  const session = new Session(home, {
    onMessage: (message) => receive(message),
    died: (reason) => end(`The services in this page ended: ${reason} Start them again with a new model.`),
  });
  const reads = new Reads(session);
  const show = showConsole(ofConsole.parent, reads.send);
  const controls = new Controls(element, {
    start: () => {
      feed.clear();
      own.host.hidden = false;
      controls.begins("Starting the services in this page …");
      void session.send({ kind: "learn", settings: controls.settings });
    },
    stop: () => {
      session.stop();
      end("Stopped. The next start begins with a new model.");
    },
    changed: () => {
      if (session.isUp) void session.send({ kind: "settings", settings: controls.settings });
    },
  });
  const end = (sentence: string) => {
    reads.fail();
    controls.ends(sentence);
  };
  const receive = (message: FromWorker) => {
    if (message.kind === "read") reads.resolve(message);
    else if (message.kind === "rollout") feed.rollout(message);
    else if (message.kind === "learning") {
      const { step, steps, run } = message;
      controls.says(step === steps ? "Last round, without training …" : `Round ${step + 1} of ${steps} …`);
      if (step === 0) {
        ofConsole.host.hidden = false;
        show(run);
      }
    } else if (message.kind === "done") {
      controls.ends(message.error ?? feed.result());
    }
  };
  controls.run();
}

/**
 * Adds a hidden element with a shadow tree, whose styles are loaded: the site's styles do not apply inside, and its own do not
 * apply outside. The site has rules with `:has()`, which make a browser check the whole page whenever an element is added;
 * inside the tree they do not.
 */
async function tree(container: HTMLElement, href: string): Promise<{ host: HTMLElement; parent: HTMLElement }> {
  const host = document.createElement("div");
  host.hidden = true;
  const parent = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  container.append(host);
  await styles(root, href);
  root.append(parent);
  return { host, parent };
}
