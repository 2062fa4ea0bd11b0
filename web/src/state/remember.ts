// Values that this browser keeps for the person, such as the language of the last book.
const prefix = "plait.";

/** Reads a value. Private windows may refuse: then it is the other one. */
export function remembered<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps a value, or forgets it when it is undefined. */
export function remember(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // The value then lasts as long as the page.
  }
}
