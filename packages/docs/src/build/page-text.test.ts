import { expect, it } from "vitest";
import { pageText, twinLink } from "./page-text.ts";

it.each([
  ["/guides/chat/", "guides/logging.md", "../guides/chat.md"],
  ["/guides/chat/#a-stream", "index.md", "./guides/chat.md"],
  ["/", "guides/chat.md", "../index.md"],
  ["/openapi/training/1.0.0/openapi.yaml", "operations.md", "./openapi/training/1.0.0/openapi.yaml"],
  ["/reference/training/models.log/", "guides/chat.md", "../reference/training/models.log.md"],
  ["/reference/training/schemas/Model/#Model.id", "guides/chat.md", "../reference/training/schemas/Model.md"],
  ["#here", "guides/chat.md", "#here"],
])("%s from %s is %s", (href, page, link) => expect(twinLink(href, page)).toBe(link));

it("keeps the text of a page and removes its frame", async () => {
  const html = `<head><meta name="description" content="How."></head><nav>Menu</nav><h1 id="_top">Chat</h1>
    <div class="sl-markdown-content"><h2 id="a-stream">A stream<a class="sl-anchor-link" href="#a">Section</a></h2>
    <div class="expressive-code"><figure><pre data-language="ts"><code><div class="ec-line"><div class="code">const a = 1; // TRAINYARD_API_KEY, --port
</div></div><div class="ec-line"><div class="code">a;
</div></div></code></pre><button>Copy</button></figure></div>
    <p>See <a href="/guides/chat/">chat</a>.</p></div>`;
  expect(await pageText(html, "guides/x.md")).toEqual({
    title: "Chat",
    description: "How.",
    code: ["TRAINYARD_API_KEY", "--port"],
    sections: [
      { id: "", heading: "Chat", text: "" },
      { id: "a-stream", heading: "A stream", text: "See chat." },
    ],
    markdown:
      "# Chat\n\n## A stream\n\n```ts\nconst a = 1; // TRAINYARD_API_KEY, --port\na;\n```\n\nSee [chat](../guides/chat.md).\n",
  });
});
