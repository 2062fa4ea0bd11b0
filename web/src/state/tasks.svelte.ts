// The tasks of the tenant, kept up to date by events.
import { ApiError, client, type Item, type Schemas, take, type Task, type TaskEvent } from "../api/client";
import { languageName, t } from "../i18n/index.svelte";
import { live } from "./live.svelte";

export type Status = Task["status"];

export const statuses = ["queued", "running", "paused", "success", "partial", "error", "canceled"] as const satisfies Status[];

export const hasEnded = (s: Status): boolean => s === "success" || s === "partial" || s === "error" || s === "canceled";

/** What a task is called: videos have no title, and are called by what they show. */
export function titleOf(task: Task): string {
  if (task.kind !== "video" || task.title) return task.title || t("task.untitled");
  const options = task.options as Partial<Schemas["VideoOptions"]>;
  return options.prompt || t(options.type === "video_upscale" ? "video.enlarged" : "video.made");
}

/** From which language into which a task translates; nothing for one that translates nothing. A language that was detected has no name here. */
export function languagesOf(task: Task): string {
  const { from = "auto", to } = task.options as Partial<Schemas["ComicOptions"]>;
  if (!to) return "";
  return from === "auto" ? `→ ${languageName(to)}` : `${languageName(from)} → ${languageName(to)}`;
}

/** How far a task is, from 0 to 100: by its items, and of a video by its frames. */
export function percentOf(task: Task): number {
  const percent = (task.details as Partial<Schemas["VideoTaskDetails"]> | undefined)?.percent;
  if (task.kind === "video" && percent !== undefined) return percent;
  return (100 * (task.success_count + task.failed_count)) / Math.max(1, task.total_count);
}

/** Brings the counts and the status of a task up to an event. Of the links, an event has those that come and go with the status alone. */
function apply(task: Task, e: TaskEvent): Task {
  const { result: _, ...lasting } = task.links;
  return {
    ...task,
    status: e.status,
    retry_count: e.retry_count,
    success_count: e.success_count,
    failed_count: e.failed_count,
    failure: e.failure,
    links: { ...lasting, ...e.links },
    // Of a video, which has one item, how far it is.
    details: e.item?.percent === undefined ? task.details : ({ ...task.details, percent: e.item.percent } as Task["details"]),
    progress: { ...task.progress, done: e.success_count + e.failed_count, estimated_ms: e.estimated_ms ?? undefined, queue_position: undefined },
  };
}

/** Which tasks are listed; an empty field means all. */
export interface Filter {
  status: Status | "";
  kind: Task["kind"] | "";
}

/** The newest tasks, without their items. */
export class TaskList {
  filter = $state.raw<Filter>({ status: "", kind: "" });
  tasks = $state.raw<Task[]>([]);
  next = $state<string>();
  loaded = $state(false);
  failure = $state.raw<ApiError>();

  /** Loads and follows; the function that it returns ends that. */
  follow(): () => void {
    void this.load();
    return live.follow({ event: (type, data) => void this.#event(type, data), reload: () => void this.load() });
  }

  async load(): Promise<void> {
    try {
      const filter = this.filter;
      const list = await take(client.GET("/v1/tasks", { params: { query: this.#query() } }));
      if (filter !== this.filter) return; // another one was chosen meanwhile
      this.tasks = list.tasks;
      this.next = list.next;
      this.failure = undefined;
    } catch (e) {
      this.failure = e as ApiError;
    }
    this.loaded = true;
  }

  async more(): Promise<void> {
    const list = await take(client.GET("/v1/tasks", { params: { query: { ...this.#query(), after: this.next } } }));
    this.tasks = [...this.tasks, ...list.tasks];
    this.next = list.next;
  }

  get filtered(): boolean {
    return this.filter.status !== "" || this.filter.kind !== "";
  }

  choose(filter: Filter): void {
    this.filter = filter;
    void this.load();
  }

  #query() {
    const { status, kind } = this.filter;
    return { limit: 50, status: status || undefined, kind: kind || undefined };
  }

  #shows(task: Task): boolean {
    const { status, kind } = this.filter;
    return (status === "" || status === task.status) && (kind === "" || kind === task.kind);
  }

  async #event(type: string, e: TaskEvent): Promise<void> {
    const known = this.tasks.find((t) => t.id === e.task_id);
    if (known && type !== "task.ended") {
      this.tasks = this.tasks.map((t) => (t === known ? apply(t, e) : t)).filter((t) => this.#shows(t));
      return;
    }
    const task = await readTask(e.task_id).catch(() => undefined);
    if (!task) return; // deleted meanwhile
    const at = this.tasks.findIndex((t) => t.id === task.id);
    if (!this.#shows(task)) this.tasks = this.tasks.filter((t) => t.id !== task.id);
    else this.tasks = at >= 0 ? this.tasks.with(at, task) : [task, ...this.tasks];
  }
}

const readTask = (id: string): Promise<Task> => take(client.GET("/v1/tasks/{id}", { params: { path: { id } } }));

/** How long a task that runs may be silent before it is read again: a failure that is still retried sends no event. */
const silence = 15_000;

/** One task with its items. */
export class OpenTask {
  task = $state.raw<Task>();
  items = $state.raw<Item[]>([]);
  failure = $state.raw<ApiError>();

  #timer = 0;
  #loading: Promise<void> | undefined;
  #again = false;
  /** Events since the task was asked for, and the items that have changed here since then. */
  #since: [type: string, e: TaskEvent][] = [];
  #touched = new Set<number>();
  /** Numbers the requests for items. */
  #asked = 0;
  /** The number of the last request for each item. */
  #reading = new Map<number, number>();

  constructor(readonly id: string) {}

  follow(): () => void {
    void this.load();
    const end = live.follow({
      event: (type, data) => data.task_id === this.id && void this.#event(type, data),
      reload: () => void this.load(),
    });
    return () => {
      end();
      clearTimeout(this.#timer);
    };
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.task?.status === "running" || this.task?.status === "queued") this.#timer = setTimeout(() => void this.load(), silence);
  }

  /** Reads the task, one request at a time: who asks meanwhile has it read once more. */
  load(): Promise<void> {
    this.#again = true;
    return (this.#loading ??= this.#read());
  }

  async #read(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      this.#since = [];
      this.#touched.clear();
      try {
        this.#show(await readTask(this.id));
        this.failure = undefined;
      } catch (e) {
        this.failure = e as ApiError;
      }
    }
    this.#loading = undefined;
    this.#watch();
  }

  /** Shows the task, and what has happened since it was asked for: the answer may be older than that. */
  #show(task: Task): void {
    const first = !this.task;
    const since = [...this.#since];
    this.task = since.reduce((t, [, e]) => apply(t, e), task);
    this.items = (task.items ?? []).map((item, i) => (this.#touched.has(i) ? (this.items[i] ?? item) : item));
    if (first) for (const [type, e] of since) void this.#event(type, e);
  }

  async #event(type: string, e: TaskEvent): Promise<void> {
    if (this.#loading) this.#since.push([type, e]);
    if (!this.task) return;
    this.task = apply(this.task, e);
    this.#watch();
    const changed = e.item;
    if (!changed || type === "task.ended") return this.load();
    const item = this.items[changed.index];
    if (!item) return;
    this.#put(changed.index, { ...item, ...changed, failure: undefined } as Item);
    // The event has no details, such as why a page failed.
    if (changed.status !== "running") await this.reloadItem(changed.index);
  }

  #put(index: number, item: Item): void {
    this.#touched.add(index);
    this.items = this.items.with(index, item);
  }

  async reloadItem(index: number): Promise<Item | undefined> {
    const asked = ++this.#asked;
    this.#reading.set(index, asked);
    const item = await readItem(this.id, index).catch(() => undefined);
    // Answers may pass each other: the one that was asked for last is shown.
    if (item && this.#reading.get(index) === asked) this.#put(index, item);
    return item;
  }

  /** Changes the course of the task. */
  async change(what: "pause" | "resume" | "cancel" | "retry"): Promise<void> {
    const params = { params: { path: { id: this.id } } };
    const task = await take(
      what === "pause"
        ? client.POST("/v1/tasks/{id}/pause", params)
        : what === "resume"
          ? client.POST("/v1/tasks/{id}/resume", params)
          : what === "cancel"
            ? client.POST("/v1/tasks/{id}/cancel", params)
            : client.POST("/v1/tasks/{id}/retry", params),
    );
    this.task = { ...this.task, ...task };
    if (what === "retry") await this.load();
  }

  async remove(): Promise<void> {
    await take(client.DELETE("/v1/tasks/{id}", { params: { path: { id: this.id } } }));
  }
}

const itemsAsked = new Map<string, Promise<Item>>();

/** Reads an item. All who ask at the same moment, such as upon one event, share a request. */
export function readItem(id: string, item: number): Promise<Item> {
  const key = `${id}/${item}`;
  const asked = itemsAsked.get(key) ?? take(client.GET("/v1/tasks/{id}/items/{item}", { params: { path: { id, item } } }));
  itemsAsked.set(key, asked);
  setTimeout(() => itemsAsked.delete(key));
  return asked;
}
