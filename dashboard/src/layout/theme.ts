/** Switches between light and dark and remembers it; without a choice the system decides. */
export function toggleTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset["theme"] ? dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset["theme"] = isDark ? "light" : "dark";
  localStorage.setItem("waypost.theme", dataset["theme"]);
}
