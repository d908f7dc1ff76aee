import { useState } from "preact/hooks";

const kept = "trainyard-console-theme";

/** Uses the theme that was chosen here or, by default, that of the system. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(kept);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}

/** Whether the theme is dark, and a function to change it. */
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
