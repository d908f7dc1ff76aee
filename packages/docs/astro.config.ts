import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import starlightLinksValidator from "starlight-links-validator";
import { readHome } from "@trainyard/release/home";
import { sidebar } from "./src/sidebar.ts";

const home = readHome();

// Pages are built for the root of a host. A later step makes every address relative (src/build/relative.ts), so that one
// build works at the root, under any sub-path, and from a simple file server.
export default defineConfig({
  trailingSlash: "always",
  cacheDir: ".cache/astro",
  image: { service: passthroughImageService() },
  build: { inlineStylesheets: "never" },
  vite: {
    build: { assetsInlineLimit: 0 },
    experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "js" ? { relative: true } : undefined) },
  },
  integrations: [
    starlight({
      title: "Trainyard",
      description: "The contract of three AI services, and everything that is built on it.",
      favicon: "/favicon.svg",
      // src/build/search.ts creates the index, because it adds the operations to the pages.
      pagefind: false,
      disable404Route: false,
      lastUpdated: false,
      customCss: ["@trainyard/console/theme.css", "./src/styles/site.css", "./src/styles/drawings.css"],
      components: {
        Header: "./src/components/Header.astro",
        Search: "./src/components/Search.astro",
        PageTitle: "./src/components/PageTitle.astro",
      },
      expressiveCode: {
        themes: ["github-dark-default", "github-light-default"],
        styleOverrides: {
          borderRadius: "0.6rem",
          codeFontSize: "0.8125rem",
          codeBackground: "var(--code-paper)",
          borderColor: "var(--sl-color-hairline)",
          frames: {
            shadowColor: "transparent",
            editorTabBarBackground: "var(--raised)",
            editorActiveTabBackground: "var(--code-paper)",
            editorActiveTabIndicatorTopColor: "transparent",
            editorActiveTabIndicatorBottomColor: "var(--sl-color-accent)",
            editorTabBarBorderBottomColor: "var(--sl-color-hairline)",
            terminalBackground: "var(--code-paper)",
            terminalTitlebarBackground: "var(--raised)",
            terminalTitlebarBorderBottomColor: "var(--sl-color-hairline)",
          },
        },
      },
      sidebar,
      ...(home !== undefined && { editLink: { baseUrl: `${home}/edit/main/packages/docs/` } }),
      plugins: [
        // Pages and references that are written later are checked on the built site (test/site.test.ts).
        starlightLinksValidator({ exclude: ["/reference/**", "/openapi/**", "/*.txt", "/**/*.md", "/*.md"] }),
      ],
    }),
  ],
});
