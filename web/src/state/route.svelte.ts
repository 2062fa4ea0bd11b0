// The address of the page is the fragment of its URL: #/, #/new, #/operate/SECTION, #/costs, #/tasks/ID, #/tasks/ID/texts,
// #/tasks/ID/glossary, #/tasks/ID/pages/N.
export const sections = ["now", "costs", "tenants", "checks"] as const;
export type Section = (typeof sections)[number];

export type Route =
  | { screen: "home" }
  | { screen: "new" }
  | { screen: "operate"; section: Section }
  | { screen: "costs" }
  | { screen: "signIn"; used: boolean }
  | { screen: "task"; id: string }
  | { screen: "texts"; id: string }
  | { screen: "glossary"; id: string }
  | { screen: "page"; id: string; index: number }
  | { screen: "unknown" };

function parse(hash: string): Route {
  const parts = hash.replace(/^#?\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  const [first, id, sub, n] = parts;
  if (!first) return { screen: "home" };
  if (first === "new") return { screen: "new" };
  const section = first === "operate" && sections.find((s) => s === (id ?? "now"));
  if (section) return { screen: "operate", section };
  if (first === "costs") return { screen: "costs" };
  if (first === "sign-in") return { screen: "signIn", used: id === "used" };
  if (first === "tasks" && id && !sub) return { screen: "task", id };
  if (first === "tasks" && id && (sub === "texts" || sub === "glossary")) return { screen: sub, id };
  if (first === "tasks" && id && sub === "pages" && /^\d+$/.test(n ?? "")) return { screen: "page", id, index: Number(n) };
  return { screen: "unknown" };
}

class Router {
  current = $state.raw<Route>(parse(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.current = parse(location.hash)));
  }

  go(path: string): void {
    location.hash = path;
  }
}

export const router = new Router();

export const taskPath = (id: string): string => `#/tasks/${encodeURIComponent(id)}`;
export const pagePath = (id: string, index: number): string => `${taskPath(id)}/pages/${index}`;
