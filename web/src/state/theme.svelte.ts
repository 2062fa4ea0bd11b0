import { remember, remembered } from "./remember";

export type Theme = "system" | "light" | "dark";

class ThemeChoice {
  chosen = $state<Theme>(remembered<Theme>("theme", "system"));

  constructor() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const show = () => {
      document.documentElement.dataset["theme"] = this.chosen === "system" ? (dark.matches ? "dark" : "light") : this.chosen;
    };
    dark.addEventListener("change", show);
    $effect.root(() => {
      $effect(() => {
        show();
        remember("theme", this.chosen);
      });
    });
  }
}

export const theme = new ThemeChoice();
