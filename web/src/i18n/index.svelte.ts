// The texts of the page. en.json has every key; a test of types compares the others with it.
import { remember, remembered } from "../state/remember";
import en from "./en.json";
import zh from "./zh-Hans.json";

export type Key = keyof typeof en;
export type Language = "en" | "zh-Hans";

const texts: Record<Language, Record<Key, string>> = { en, "zh-Hans": zh };

/** The languages by their own names. */
export const languages: Record<Language, string> = { en: "English", "zh-Hans": "简体中文" };

function ofBrowser(): Language {
  return navigator.languages.find((l) => /^(zh|en)/.test(l))?.startsWith("zh") ? "zh-Hans" : "en";
}

class Choice {
  language = $state<Language>(remembered<Language>("language", ofBrowser()));

  constructor() {
    if (!(this.language in texts)) this.language = "en";
    $effect.root(() => {
      $effect(() => {
        document.documentElement.lang = this.language;
        remember("language", this.language);
      });
    });
  }
}

export const choice = new Choice();

/** Returns a text with {name} replaced. A text with the parts "one | many" is chosen by the value n. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const forms = texts[choice.language][key].split(" | ");
  const form = (forms.length > 1 && Number(values["n"]) !== 1 ? forms[1] : forms[0]) ?? key;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(choice.language) : (value ?? "");
  });
}

/** The name of a kind of tasks; one that the page does not know is shown as it is. */
export const kindName = (kind: string): string => (`task.kind.${kind}` in en ? t(`task.kind.${kind}` as Key) : kind);

/** The name of a language of books, in the language of the page. */
export function languageName(tag: string): string {
  if (tag === "auto") return t("language.auto");
  try {
    return new Intl.DisplayNames([choice.language], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(choice.language, { numeric: "auto" });
  for (const [unit, size] of [["day", 86_400], ["hour", 3600], ["minute", 60]] as const) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return format.format(0, "minute");
}

/** A duration in words, rounded as one says it. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const unit = seconds < 60 ? "second" : seconds < 5400 ? "minute" : "hour";
  const n = unit === "second" ? seconds : unit === "minute" ? Math.round(seconds / 60) : Math.round(seconds / 3600);
  return new Intl.NumberFormat(choice.language, { style: "unit", unit, unitDisplay: "long" }).format(n);
}

export function bytes(n: number): string {
  const unit = n < 1e6 ? "kilobyte" : n < 1e9 ? "megabyte" : "gigabyte";
  const value = n / (unit === "kilobyte" ? 1e3 : unit === "megabyte" ? 1e6 : 1e9);
  return new Intl.NumberFormat(choice.language, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}
