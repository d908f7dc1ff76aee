import { useState } from "preact/hooks";

const kept = "trainyard-console-theme";

/** Uses the theme that was chosen here or, by default, that of the system. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(kept);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}

/** Whether the theme is dark, and a function to change it. */
export function useTheme() {
  const [isDark, setDark] = useState(
    () =>
      (document.documentElement.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches && "dark")) ===
      "dark",
  );
  const switchTheme = () => {
    localStorage.setItem(kept, isDark ? "light" : "dark");
    applyTheme();
    setDark(!isDark);
  };
  return { isDark, switchTheme };
}
