/** Switches between light and dark and remembers it; without a choice the system decides. */
export function toggleTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset["theme"] ? dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset["theme"] = isDark ? "light" : "dark";
  localStorage.setItem("waypost.theme", dataset["theme"]);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Tells when light and dark change places, by the button or in the system. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  listeners.add(listener);
  system.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", listener);
  };
}
