import type { StarlightUserConfig } from "@astrojs/starlight/types";

/** The guides, in the order in which a person needs them. */
export const sidebar: NonNullable<StarlightUserConfig["sidebar"]> = [
  {
    label: "Start",
    items: ["guides", "guides/getting-started", "guides/watch", "guides/authentication"],
  },
  {
    label: "Concepts",
    items: ["concepts/training", "concepts/jobs", "concepts/parts", "concepts/contract"],
  },
  {
    label: "Call the services",
    items: [
      "guides/program",
      "guides/chat",
      "guides/errors",
      "guides/retries",
      "guides/lists",
      "guides/options",
      "guides/browser",
      "guides/logging",
      "guides/training",
      "guides/rollouts",
      "guides/feedback-statistics",
      "guides/objects",
      "guides/hooks",
      "guides/shell",
    ],
  },
  {
    label: "Test and check",
    items: ["guides/testing", "guides/verify", "guides/own-document", "guides/from-openapi-typescript"],
  },
  {
    label: "Run a server",
    items: ["guides/console", "guides/marks", "guides/team", "guides/proxy", "guides/trainers", "guides/cluster"],
  },
  {
    label: "Reference",
    items: [
      { slug: "reference" },
      { slug: "operations" },
      { slug: "packages" },
      { label: "Training", link: "/reference/training/" },
      { label: "Inference", link: "/reference/inference/" },
      { label: "Auxiliary", link: "/reference/auxiliary/" },
      { label: "Local server", link: "/reference/local/" },
    ],
  },
  {
    label: "The contract",
    items: ["contract/changing", "contract/versions", "contract/changelog", "contract/basis", "contract/agents"],
  },
  { label: "Decisions", collapsed: true, items: [{ slug: "decisions" }, { autogenerate: { directory: "decisions" } }] },
];

/** The pages in that order, as folders of the built site. */
export const order: readonly string[] = [
  "",
  ...sidebar
    .flatMap((group) => (typeof group === "object" && "items" in group ? group.items : []))
    .flatMap((item) => {
      if (typeof item === "string") return [item];
      return "slug" in item ? [item.slug] : [];
    }),
];
