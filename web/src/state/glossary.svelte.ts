// The glossary of one book, or of all books of the tenant, while a person edits it. Each entry is saved by itself. What cannot be sent is kept in
// this browser and sent when the server is back; what somebody else has changed meanwhile is shown and not overwritten.
import { ApiError, client, isLasting, type Schemas, take } from "../api/client";
import { remember, remembered } from "./remember";

export type Entry = Schemas["GlossaryEntry"];
type Glossary = Schemas["Glossary"];
type Change = Schemas["EditGlossary"]["changes"][number];
type State = "saved" | "incomplete" | "changed" | "saving" | "waiting" | "conflict" | "refused";

/** An entry, or one that the person adds. */
export interface Row {
  readonly key: number;
  /** What the server has, as far as this page knows; absent for an entry that it does not have. */
  base?: Entry;
  /** What the person has written. */
  draft: Entry;
  /** Whether the person has removed it. It stays in sight, and can be brought back. */
  removed: boolean;
  state: State;
  /** In a conflict, the entry of somebody else; absent if they have removed it. */
  other?: Entry;
  /** Why the server refused. */
  reason?: string;
}

type Kept = Pick<Row, "base" | "draft" | "removed">;

/** An entry without the fields that say nothing. */
function plain(e: Entry): Entry {
  const { source, target = "", part_of_speech = "", note = "", ...marks } = e;
  const texts = Object.entries({ target, part_of_speech, note }).map(([name, text]) => [name, text.trim()]);
  const said = [...texts, ["case", marks.case], ["keep", marks.keep]].filter(([, value]) => value);
  return { source: source.trim(), ...(Object.fromEntries(said) as Partial<Entry>) };
}

const same = (a: Entry | undefined, b: Entry | undefined): boolean => JSON.stringify(a && plain(a)) === JSON.stringify(b && plain(b));
const isComplete = (e: Entry): boolean => e.source.trim() !== "" && ((e.target ?? "").trim() !== "" || !!e.keep);

let keys = 0;

export class GlossaryList {
  rows = $state<Row[]>([]);
  #timer = 0;
  #saving = false;
  #closed = false;
  readonly #slot: string;

  constructor(
    /** What the glossary is of: a task, or a language. */
    readonly of: { task: string } | { to: string },
    entries: Entry[],
  ) {
    this.#slot = `glossary.${"task" in of ? of.task : of.to}`;
    this.rows = entries.map((e) => ({ key: ++keys, base: e, draft: { ...e }, removed: false, state: "saved" }));
    for (const kept of remembered<Kept[]>(this.#slot, [])) {
      const row = kept.base && this.rows.find((r) => r.base?.source === kept.base?.source);
      const state = kept.removed || isComplete(kept.draft) ? "waiting" : "incomplete";
      if (row) Object.assign(row, kept, { state });
      else this.rows.push({ key: ++keys, ...kept, state });
    }
    void this.save();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  has(source: string): boolean {
    return this.rows.some((r) => !r.removed && r.draft.source === source);
  }

  add(e: Entry): void {
    this.rows.push({ key: ++keys, draft: e, removed: false, state: "changed" });
    void this.#changed();
  }

  /** Saves what the person has written into a row. */
  change(row: Row): void {
    if (row.state === "conflict") return this.#keep();
    row.state = !isComplete(row.draft) ? "incomplete" : same(row.base, row.draft) ? "saved" : "changed";
    void this.#changed();
  }

  remove(row: Row): void {
    row.removed = true;
    row.state = row.base ? "changed" : "saved";
    void this.#changed();
  }

  /** Takes a removal back. */
  restore(row: Row): void {
    row.removed = false;
    this.change(row);
  }

  /** Settles a conflict with what the person wrote, or with what somebody else did. */
  settle(row: Row, mine: boolean): void {
    row.base = row.other;
    row.other = undefined;
    row.state = "saved";
    if (mine) row.state = row.removed && !row.base ? "saved" : "changed";
    else if (row.base) Object.assign(row, { draft: { ...row.base }, removed: false });
    else row.removed = true;
    void this.#changed();
  }

  #changed(): Promise<void> {
    this.#keep();
    return this.save();
  }

  /** Sends what is not saved, one entry after another. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#saving) return;
    this.#saving = true;
    for (let row = this.#unsaved(); row; row = this.#unsaved()) {
      try {
        await this.#send(row);
      } catch (e) {
        if (!(await this.#failed(row, e as ApiError))) break;
      }
    }
    this.#saving = false;
    this.#keep();
    if (this.#unsaved() && !this.#closed) this.#timer = setTimeout(() => void this.save(), 2000);
  }

  #unsaved(): Row | undefined {
    return this.rows.find((r) => r.state === "changed" || r.state === "waiting");
  }

  async #send(row: Row): Promise<void> {
    const after = row.removed ? undefined : plain(row.draft);
    row.state = "saving";
    this.#take(await this.#edit([{ before: row.base, after }]), row, after);
  }

  /** Tells a row that it could not be saved. Returns whether to go on with the others. */
  async #failed(row: Row, e: ApiError): Promise<boolean> {
    if (!isLasting(e)) {
      row.state = "waiting";
      return false;
    }
    row.state = "refused";
    row.reason = e.message;
    if (e.status !== 409) return true;
    const source = row.base?.source ?? row.draft.source.trim();
    const now = await this.#read().catch(() => undefined);
    if (!now) {
      row.state = "waiting";
      return false;
    }
    const other = now.entries.find((x) => x.source === source);
    if (row.base && same(other, row.base)) return true; // another entry has the new source
    row.state = "conflict";
    row.other = other;
    return true;
  }

  /** Takes over the glossary after a change of a row. */
  #take(g: Glossary, sent: Row, after: Entry | undefined): void {
    sent.base = after;
    sent.state = sent.removed === !after && (!after || same(sent.draft, after)) ? "saved" : "changed";
    // What the person is still writing is no change yet, and stays.
    const asSaved = (r: Row): boolean => r.state === "saved" && (r.removed || same(r.base, r.draft));
    const rows = this.rows.filter((r) => !asSaved(r) || r.removed || g.entries.some((e) => e.source === r.base?.source));
    for (const e of g.entries) {
      const row = rows.find((r) => (r.base ?? r.draft).source === e.source);
      if (!row) rows.push({ key: ++keys, base: e, draft: { ...e }, removed: false, state: "saved" });
      else if (asSaved(row)) Object.assign(row, { base: e, draft: { ...e }, removed: false });
    }
    this.rows = rows;
  }

  #edit(changes: Change[]): Promise<Glossary> {
    const body = { changes };
    return "task" in this.of
      ? take(client.PATCH("/v1/tasks/{id}/glossary", { params: { path: { id: this.of.task } }, body }))
      : take(client.PATCH("/v1/glossaries/{to}", { params: { path: { to: this.of.to } }, body }));
  }

  #read(): Promise<Glossary> {
    return "task" in this.of ? readGlossary(this.of.task) : take(client.GET("/v1/glossaries/{to}", { params: { path: { to: this.of.to } } }));
  }

  #keep(): void {
    const open = this.rows.filter((r) => r.state !== "saved" && r.state !== "refused");
    remember(this.#slot, open.length > 0 ? open.map(({ base, draft, removed }): Kept => ({ base, draft, removed })) : undefined);
  }
}

export const readGlossary = (task: string): Promise<Glossary> => take(client.GET("/v1/tasks/{id}/glossary", { params: { path: { id: task } } }));

export const readSuggestions = async (task: string): Promise<Entry[]> =>
  (await take(client.GET("/v1/tasks/{id}/glossary/suggestions", { params: { path: { id: task } } }))).entries;
