/** The page that trains a model while one looks: its controls, what is said, and the console of the local server in the page. */
import { showConsole } from "@trainyard/console/part";
import type { Told } from "../protocol.ts";
import { Session } from "../session.ts";
import { Controls } from "./controls.ts";
import { Feed } from "./feed.ts";
import { Reads } from "./reads.ts";

/** Shows what a model learns, and begins. */
export async function watch(element: HTMLElement, home: string): Promise<void> {
  const live = element.querySelector<HTMLElement>(".live");
  if (live === null) throw new Error("The page has no element `.live`.");
  const feed = new Feed(live);
  const { shadow, parent } = await consolePlace(live, home);
  const session = new Session(home, {
    told: (told) => tell(told),
    died: (reason) => end(`The services in this page ended: ${reason} Start them again with a new model.`),
  });
  const reads = new Reads(session);
  const show = showConsole(parent, reads.send);
  const controls = new Controls(element, {
    start: () => {
      feed.clear();
      controls.begins("Starting the services in this page …");
      void session.ask({ kind: "learn", settings: controls.settings });
    },
    stop: () => {
      session.stop();
      end("Stopped. The next start begins with a new model.");
    },
    changed: () => {
      if (session.isUp) void session.ask({ kind: "settings", settings: controls.settings });
    },
  });
  const end = (sentence: string) => {
    reads.fail();
    controls.ends(sentence);
  };
  const tell = (told: Told) => {
    if (told.kind === "read") reads.tell(told);
    else if (told.kind === "rollout") feed.rollout(told);
    else if (told.kind === "event") feed.event(told);
    else if (told.kind === "learning") {
      const { step, steps, run } = told;
      controls.says(step === steps ? "The last look, without training …" : `Round ${step + 1} of ${steps} …`);
      feed.round(step);
      if (step === 0) {
        shadow.hidden = false;
        show(run);
      }
    } else if (told.kind === "done") {
      controls.ends(told.error === undefined ? feed.result() : `It ended with ${told.error}`);
    }
  };
  controls.run();
}

/** A tree of its own for the console: its styles are not the site's. */
async function consolePlace(live: HTMLElement, home: string): Promise<{ shadow: HTMLElement; parent: HTMLElement }> {
  const shadow = document.createElement("div");
  shadow.hidden = true;
  const tree = shadow.attachShadow({ mode: "open" });
  const styles = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${home}console.css` });
  const own = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${home}learn.css` });
  const parent = document.createElement("div");
  parent.className = "console";
  tree.append(styles, parent);
  live.append(shadow);
  const theme = () => (shadow.dataset["theme"] = document.documentElement.dataset["theme"] ?? "dark");
  theme();
  new MutationObserver(theme).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  await new Promise((resolve) => {
    own.addEventListener("load", resolve);
    own.addEventListener("error", resolve);
    document.head.append(own);
  });
  return { shadow, parent };
}
