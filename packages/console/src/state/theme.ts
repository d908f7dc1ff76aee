import { useState } from "preact/hooks";

const kept = "trainyard-console-theme";

/** Takes the theme that was chosen here or, without a choice, the system's. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(kept);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}

/** Whether the page is dark, and what changes it. */
export function useTheme(): { isDark: boolean; switchTheme: () => void } {
  const system = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const [isDark, setDark] = useState(() => {
    const { theme } = document.documentElement.dataset;
    return theme === undefined ? system() : theme === "dark";
  });
  return {
    isDark,
    switchTheme: () => {
      const theme = isDark ? "light" : "dark";
      document.documentElement.dataset["theme"] = theme;
      localStorage.setItem(kept, theme);
      setDark(!isDark);
    },
  };
}
