// The regions of one page while a person edits them: translations, and how they are lettered. Edits are saved shortly after the last key. What
// cannot be sent is kept in this browser and sent when the server is back; what somebody else has changed meanwhile is shown and not overwritten.
import { ApiError, client, isLasting, type Item, type PageDetails, take } from "../api/client";
import { t } from "../i18n/index.svelte";
import { Alternatives } from "./alternatives.svelte";
import { Drawings } from "./drawings.svelte";
import { History } from "./history.svelte";
import { live } from "./live.svelte";
import { before, changesOf, type Choice, chosen, type Edited, joined, type Kept, placeOf, type Region, shownAs, type Step } from "./regions";
import { remember, remembered } from "./remember";
import { readItem } from "./tasks.svelte";
import { toasts } from "./toasts.svelte";

/** How long a page stays prepared at least, in milliseconds. */
const prepared = 60_000;
/** How long nobody types before an edit is sent, in milliseconds: what comes at once, such as the keys of an input method, is one edit. The next
 * edit waits until this one is answered, so that fast typing sends no more of them. */
const pause = 60;
/** The editors of pages that are open or have something to send: one for each page, by what it is kept as. */
const editors = new Map<string, Editor>();

export class Editor {
  item = $state.raw<Item>();
  regions = $state<Region[]>([]);
  rendering = $state(false);
  /** Why the page could not be lettered with the last edit. */
  failure = $state<string>();
  /** Why the page could not be read. */
  problem = $state.raw<ApiError>();
  readonly history = new History();
  readonly alternatives: Alternatives;
  readonly drawings: Drawings;

  #timer = 0;
  /** What changes the texts of the page on the server now: one request at a time. */
  #saving: Promise<unknown> | undefined;
  #loading = false;
  #closed = false;
  /** Numbers what is read and what is saved, in the order in which the server says it: answers may pass each other. */
  #asked = 0;
  /** The number of the newest answer that is shown. */
  #shows = 0;
  /** Whether the page has changed on the server when that could not be shown. */
  #missed = false;
  #preparedAt = 0;
  /** The time of the edit that the image shows. */
  #shown: string | undefined;
  #unfollow: () => void;
  readonly #slot: string;

  constructor(
    readonly task: string,
    readonly index: number,
    readonly onrendered: () => void,
  ) {
    this.#slot = `edits.${task}.${index}`;
    this.alternatives = new Alternatives(task, index);
    this.drawings = new Drawings(task, index, (region) => this.#drawn(region));
    editors.set(this.#slot, this);
    this.#unfollow = live.follow({
      event: (type, e) => type === "task.edited" && e.task_id === task && e.item?.index === index && void this.#look(),
      reload: () => void (this.item || this.#loading ? this.#look() : this.load()),
    });
  }

  async load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const item = await readItem(this.task, this.index);
      if (!this.#closed) this.#show(item);
      this.problem = undefined;
    } catch (e) {
      this.problem = e as ApiError;
    }
    this.#loading = false;
  }

  /** Ends the editing. What is not saved is still sent. */
  close(): void {
    this.#closed = true;
    this.drawings.end();
    this.#unfollow();
    clearTimeout(this.#timer);
    if (this.unsaved) void this.save();
    this.#leave();
  }

  /** Whether another editor of the page has taken over what this one has not sent. */
  get #replaced(): boolean {
    return editors.get(this.#slot) !== this;
  }

  #leave(): void {
    if (this.#closed && !this.#saving && !this.unsaved && !this.#replaced) editors.delete(this.#slot);
  }

  get unsaved(): boolean {
    return this.regions.some((r) => r.state === "changed" || r.state === "waiting");
  }

  /** The regions that are shown, in reading order. */
  get listed(): Region[] {
    return this.regions.filter((r) => r.text.joined_into === undefined && !(r.text.drawn && r.text.deleted)).sort((a, b) => placeOf(a) - placeOf(b));
  }

  get details(): Partial<PageDetails> {
    return (this.item?.details ?? {}) as Partial<PageDetails>;
  }

  change(index: number, draft: string): void {
    const region = this.regions[index];
    if (!region) return;
    region.draft = draft;
    if (region.state !== "conflict") region.state = draft === region.base && !region.choice ? "saved" : "changed";
    this.#soon();
  }

  /** Chooses how a region is lettered, or that it is no text. */
  choose(index: number, choice: Choice): void {
    const region = this.regions[index];
    if (!region) return;
    this.history.add([{ index, from: before(region.text, choice), to: choice }]);
    this.#choose(region, choice);
  }

  /** Joins a region with the next one in reading order. */
  join(index: number): void {
    const order = this.listed.filter((r) => !r.text.deleted);
    const region = this.regions[index];
    const next = order[order.findIndex((r) => r.text.region_index === index) + 1];
    if (!region || !next || region.text.drawn === "running" || next.text.drawn === "running") return;
    const step: Step = [
      { index, from: region.draft, to: joined(region.draft.trim(), next.draft.trim()) },
      { index: next.text.region_index, from: { joined_into: -1 }, to: { joined_into: index } },
    ];
    if (region.text.area || next.text.area) {
      const [a, b] = [region.text.area ?? region.text.box, next.text.area ?? next.text.box];
      const area = a.map((n, i) => (i < 2 ? Math.min(n, b[i] ?? n) : Math.max(n, b[i] ?? n)));
      step.push({ index, from: before(region.text, { area }), to: { area } });
    }
    this.history.add(step);
    for (const change of step) this.#apply(change.index, change.to);
  }

  /** Divides a region before a character of its source, or of its translation. Returns the index of the second part. */
  async split(index: number, at: { at?: number; translation_at?: number }): Promise<number | undefined> {
    clearTimeout(this.#timer);
    while (this.regions.some((r) => r.state === "changed" || r.state === "saving")) await this.save();
    const region = this.regions[index];
    if (this.#saving || region?.state !== "saved") return undefined;
    const splitting = this.#split(region, at);
    this.#saving = splitting;
    return splitting;
  }

  async #split(region: Region, at: { at?: number; translation_at?: number }): Promise<number | undefined> {
    const were = this.regions.map((r) => ({ base: r.base, text: r.text }));
    let second: number | undefined;
    try {
      const params = { path: { id: this.task, item: this.index }, header: { "Idempotency-Key": crypto.randomUUID() } };
      const body = { region_index: region.text.region_index, expected: region.base, ...at };
      second = (await take(client.POST("/v1/comic/translations/{id}/items/{item}/regions/split", { params, body }))).region_index;
      this.#take(await readItem(this.task, this.index), ++this.#asked);
      this.history.add(this.regions.flatMap((r, i) => changesOf(i, were[i], r)));
    } catch (e) {
      toasts.say((e as ApiError).message || t("edit.splitLater"), true);
    }
    this.#saving = undefined;
    this.#goOn();
    return second;
  }

  /** Has the server prepare the page, as soon as a person turns to its texts: the first edit is then shown as fast as the next ones. */
  async prepare(): Promise<void> {
    if (Date.now() - this.#preparedAt < prepared) return;
    this.#preparedAt = Date.now();
    const params = { path: { id: this.task, item: this.index } };
    // Without it, an edit takes longer.
    await take(client.POST("/v1/comic/translations/{id}/items/{item}/prepare", { params })).catch(() => undefined);
  }

  /** Asks the model for other translations of a region. */
  async ask(index: number): Promise<void> {
    const region = this.regions[index];
    if (region) await this.alternatives.ask(region.text);
  }

  /** Takes over the nth of the other translations of a region. */
  exchange(index: number, n: number): void {
    const text = this.regions[index]?.text.alternatives?.texts[n];
    if (text !== undefined) this.change(index, text);
  }

  /** Moves a region in reading order, to a position among the regions that are listed. */
  move(index: number, position: number): void {
    const others = this.listed.filter((r) => r.text.region_index !== index);
    const to = Math.min(Math.max(position, 0), others.length);
    const [previous, next] = [others[to - 1], others[to]];
    const from = previous ? placeOf(previous) : 0;
    this.choose(index, { place: next ? (from + placeOf(next)) / 2 : from + 1 });
  }

  #choose(region: Region, choice: Choice): void {
    region.text = chosen(region.text, choice);
    region.choice = { ...region.choice, ...choice };
    if (region.state !== "conflict") region.state = "changed";
    this.#soon();
  }

  async #drawn(index: number): Promise<void> {
    this.history.add([{ index, from: { deleted: true }, to: { deleted: false } }]);
    await this.#look();
  }

  #soon(): void {
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), pause);
  }

  /** Settles a conflict with what the person wrote, or with what somebody else did. */
  settle(index: number, mine: boolean): void {
    const region = this.regions[index];
    if (region?.state !== "conflict") return;
    region.base = region.other ?? "";
    if (!mine) region.draft = region.base;
    region.other = undefined;
    region.state = "saved";
    this.change(index, region.draft);
  }

  undo(): void {
    for (const change of this.history.undo()) this.#apply(change.index, change.to);
  }

  redo(): void {
    for (const change of this.history.redo()) this.#apply(change.index, change.to);
  }

  /** Makes a change that undo knows already. */
  #apply(index: number, to: string | Choice): void {
    const region = this.regions[index];
    if (!region) return;
    if (typeof to !== "string") return this.#choose(region, to);
    if (to.trim() !== region.base) this.#stepping.add(index);
    this.change(index, to);
  }
  #stepping = new Set<number>();

  /** Sends what is not saved, and returns when it is answered. */
  async save(): Promise<unknown> {
    if (this.#saving) return this.#saving;
    if (this.#replaced) return;
    const sent = this.regions.filter((r) => (r.state === "changed" || r.state === "waiting") && (r.choice || r.draft.trim() !== r.base));
    for (const r of this.regions) if (r.state === "changed" && !sent.includes(r)) r.state = "saved";
    if (sent.length === 0) return;
    this.#saving = this.#send(sent);
    return this.#saving;
  }

  async #send(sent: Region[]): Promise<void> {
    const texts = new Map(sent.map((r) => [r.text.region_index, r.draft.trim()]));
    const choices = new Map(sent.map((r) => [r.text.region_index, r.choice]));
    for (const r of sent) r.state = "saving";
    try {
      const item = await take(
        client.PATCH("/v1/comic/translations/{id}/items/{item}/regions", {
          params: { path: { id: this.task, item: this.index } },
          body: { regions: sent.map((r) => this.#edited(r)) },
        }),
      );
      this.#saved(item, sent, texts, choices);
    } catch (e) {
      await this.#unsaved(e as ApiError, sent);
    }
    this.#saving = undefined;
    this.#keep();
    this.#goOn();
  }

  /** Does what had to wait for an answer of the server. */
  #goOn(): void {
    if (this.regions.some((r) => r.state === "changed")) void this.save();
    else if (this.regions.some((r) => r.state === "waiting")) this.#timer = setTimeout(() => void this.save(), 2000);
    else if (this.#missed) void this.#look();
    this.#leave();
  }

  #edited(r: Region): Edited {
    const text = r.draft.trim() === r.base ? {} : { translation: r.draft.trim(), expected: r.base };
    return { region_index: r.text.region_index, ...text, ...r.choice };
  }

  #saved(item: Item, sent: Region[], texts: Map<number, string>, choices: Map<number, Choice | undefined>): void {
    for (const r of sent) {
      const index = r.text.region_index;
      const text = texts.get(index) ?? "";
      if (r.base !== text && !this.#stepping.delete(index)) this.history.add([{ index, from: r.base, to: text }]);
      r.base = text;
      if (r.choice === choices.get(index)) r.choice = undefined;
      r.state = r.draft.trim() === text && !r.choice ? "saved" : "changed";
    }
    this.#take(item, ++this.#asked);
  }

  async #unsaved(e: ApiError, sent: Region[]): Promise<void> {
    if (e.status === 409) {
      const item = await readItem(this.task, this.index).catch(() => undefined);
      for (const r of sent) r.state = "waiting";
      if (!item) return;
      const now = (item.details as PageDetails | undefined)?.texts ?? [];
      for (const r of sent) {
        const other = now.find((x) => x.region_index === r.text.region_index)?.translation ?? "";
        r.state = other === r.base ? "changed" : "conflict";
        r.other = other === r.base ? undefined : other;
      }
      if (sent.every((r) => r.state === "changed")) this.#refuse(sent, e); // another conflict: the page has no result
      return;
    }
    if (isLasting(e)) return this.#refuse(sent, e);
    for (const r of sent) r.state = "waiting";
  }

  #refuse(sent: Region[], e: ApiError): void {
    for (const r of sent) {
      r.state = "refused";
      r.choice = undefined;
      r.other = e.message;
    }
    void this.#look();
  }

  /** Reads the page again: somebody has edited it, or its image shows the edits. */
  async #look(): Promise<void> {
    // What the server says now could not be shown.
    this.#missed = !this.item || !!this.#saving;
    if (this.#missed) return;
    const asked = ++this.#asked;
    const item = await readItem(this.task, this.index).catch(() => undefined);
    if (!item || this.#closed) return;
    if (this.#saving) this.#missed = true;
    // What is shown is newer, and this answer may yet have something that it lacks.
    else if (asked < this.#shows) void this.#look();
    else this.#take(item, asked);
  }

  /** Shows the page for the first time, with what this browser has kept of edits that were not sent. */
  #show(item: Item): void {
    this.item = item;
    const { edit } = this.details;
    this.rendering = edit?.status === "running";
    this.#shown = this.rendering ? undefined : edit?.edited_at;
    const texts = (item.details as PageDetails | undefined)?.texts ?? [];
    this.regions = texts.map(shownAs);
    this.#restore();
    this.onrendered();
    // Somebody may have edited the page meanwhile.
    if (this.#missed) void this.#look();
  }

  #restore(): void {
    for (const [i, kept] of Object.entries(remembered<Record<string, Kept>>(this.#slot, {}))) {
      const region = this.regions[Number(i)];
      if (!region || (!kept.choice && [kept.base, region.base].includes(kept.draft.trim()))) continue;
      region.draft = kept.draft;
      // Not what the server has now: what somebody else has written since would be overwritten.
      region.base = kept.base;
      region.choice = kept.choice;
      region.text = chosen(region.text, kept.choice);
      region.state = "waiting";
    }
    if (this.unsaved) void this.save();
    this.drawings.restore();
  }

  /** Takes over what else the server knows of the regions. */
  #take(item: Item, asked: number): void {
    this.#shows = asked;
    this.item = item;
    const { edit } = this.details;
    this.rendering = edit?.status === "running";
    this.failure = edit?.status === "error" ? (edit.failure?.message ?? "") : undefined;
    if (!this.rendering && edit?.edited_at !== this.#shown) {
      this.#shown = edit?.edited_at;
      this.onrendered();
    }
    for (const text of (item.details as PageDetails | undefined)?.texts ?? []) {
      const region = this.regions[text.region_index];
      if (!region) {
        this.regions.push(shownAs(text));
        continue;
      }
      region.text = chosen(text, region.choice);
      this.alternatives.look(text);
      if (region.state === "saved" && region.base !== (text.translation ?? "")) region.base = region.draft = text.translation ?? "";
    }
  }

  #keep(): void {
    if (this.#replaced) return;
    const open = this.regions.filter((r) => r.state !== "saved" && r.state !== "refused");
    remember(this.#slot, open.length > 0 ? Object.fromEntries(open.map((r) => [r.text.region_index, { draft: r.draft, base: r.base, choice: r.choice }])) : undefined);
  }
}
