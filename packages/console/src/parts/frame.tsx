/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLost } from "../api/live.ts";
import { read } from "../api/read.ts";
import { clock } from "../format/format.ts";
import { go, hrefOf, isPart } from "../state/address.ts";
import { areKeysOn, switchKeys, useKeys, type KeyBinding } from "../state/keys.ts";
import { useTheme } from "../state/theme.ts";
import { Icon } from "./icons.tsx";

export interface Crumb {
  readonly text: string;
  readonly href: string;
}

export interface FrameProps {
  /** The name of the page, also in the title of the window. */
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  /** The keys of the page, in addition to those of every page. */
  readonly keys?: readonly KeyBinding[];
  readonly children: ComponentChildren;
}

const labels: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", Enter: "↵", Escape: "Esc" };

/** The parts of every page: a bar with the path, the list of keys, the theme, and the state of the connection. */
export function Frame(props: FrameProps) {
  // A page of the site already has these.
  return isPart() ? <div class="part">{props.children}</div> : <WholeFrame {...props} />;
}

/** Opens the run that a name finds; the list, if it finds none or several. */
async function openFound(q: string): Promise<void> {
  const found = await read({ path: "/runs", query: { q, limit: 2 } }).catch(() => undefined);
  const [run, other] = found?.data ?? [];
  go(q !== "" && run && !other ? hrefOf(["runs", run.id]) : hrefOf([], { q }));
}

function WholeFrame({ title, crumbs = [], keys = [], children }: FrameProps) {
  const { isDark, switchTheme } = useTheme();
  const lost = useLost();
  const dialog = useRef<HTMLDialogElement>(null);
  const find = useRef<HTMLInputElement>(null);
  const bindings: KeyBinding[] = [
    ...keys,
    { keys: ["/"], what: "find a run", run: () => find.current?.focus() },
    { keys: ["c"], what: "copy the link", run: () => void navigator.clipboard.writeText(location.href) },
    { keys: ["?"], what: "list all keys", run: () => dialog.current?.showModal() },
  ];
  useKeys(bindings);
  useEffect(() => {
    document.title = title === "Console" ? title : `${title} · Console`;
  }, [title]);
  const last = crumbs.length - 1;
  return (
    <>
      <a class="visually-hidden" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <a class="mark" href={hrefOf([])} aria-label="Console: all runs">
          <Icon name="mark" size={20} />
          <span>Console</span>
        </a>
        <nav class="where" aria-label="Where you are">
          <ol class="crumbs">
            {crumbs.map(({ text, href }, at) => (
              <li key={href}>
                <a href={href} {...(at === last && { "aria-current": "page" as const })}>
                  {text}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div class="end">
          <form
            class="find"
            role="search"
            onSubmit={(event) => {
              event.preventDefault();
              void openFound(find.current?.value ?? "");
            }}
          >
            <Icon name="find" size={15} />
            <input ref={find} type="search" placeholder="Find a run" aria-label="Find a run" />
            <kbd aria-hidden="true">/</kbd>
          </form>
          <button type="button" class="button icon" aria-label="All keys" onClick={() => dialog.current?.showModal()}>
            ?
          </button>
          <button
            type="button"
            class="button icon"
            aria-label={isDark ? "Light theme" : "Dark theme"}
            onClick={switchTheme}
          >
            <Icon name="theme" />
          </button>
        </div>
      </header>
      <p class="lost warn" role="status">
        {lost > 0 && `No connection to the server since ${clock(lost)}. The page shows older data, and keeps trying.`}
      </p>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <dialog ref={dialog} class="card" aria-labelledby="key-help">
        <h2 id="key-help">Keys</h2>
        <dl class="all-keys">
          {bindings.map(({ what, keys, shown = keys }) => (
            <div key={what}>
              <dt>
                {shown.map((key) => (
                  <kbd key={key}>{labels[key] ?? key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            defaultChecked={areKeysOn()}
            onChange={(event) => switchKeys(event.currentTarget.checked)}
          />
          Use keys without a modifier
        </label>
        <form method="dialog">
          <button type="submit" class="button">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}
