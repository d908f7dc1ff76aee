/** @jsxImportSource preact */
import { render } from "preact";
import { follow } from "./api/live.ts";
import { openConsole, readBelow, ReadError } from "./api/read.ts";
import { Page } from "./pages/page.tsx";
import { Frame } from "./parts/frame.tsx";
import { Closed } from "./parts/states.tsx";
import { catchLinks, readAddress, startBelow } from "./state/address.ts";
import { applyTheme } from "./state/theme.ts";

async function start(): Promise<void> {
  applyTheme();
  const prefix = new URL("..", import.meta.url).pathname.slice(0, -1);
  startBelow(prefix);
  readBelow(prefix);
  const root = document.querySelector("#console");
  if (root === null) return;
  const code = location.hash.slice(1);
  // Below the first page, a fragment is a place of the page.
  if (readAddress().parts.length === 0 && /^[\w-]{16,}$/.test(code)) {
    // The code must be neither in the history nor in a copied link.
    history.replaceState(null, "", location.pathname + location.search);
    try {
      await openConsole(code);
    } catch (error) {
      render(
        <Frame title="Console">
          <Closed message={ReadError.of(error).message} />
        </Frame>,
        root,
      );
      return;
    }
  }
  catchLinks();
  render(<Page />, root);
  void follow();
}

void start();
