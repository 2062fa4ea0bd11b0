// The book that a person is about to have translated. It is kept in this browser, with what was uploaded of it, until the task is created.
import { del, get, set } from "idb-keyval";
import { ApiError, errorOf, failed, offline, type Schemas, type Task, upload } from "../api/client";
import { type Key, t } from "../i18n/index.svelte";
import { type ArchivePage, pagesOf } from "./archive";
import { baseName, byName, isArchive, isImage, isLeftover, isPDF } from "./files";
import { remember, remembered } from "./remember";
import { session } from "./session.svelte";

export interface DraftPage {
  id: number;
  name: string;
  size: number;
  /** Its file, as a number in the list of files, and its path when that is an archive. */
  file: number;
  path?: string;
  /** The name of its blob once it is uploaded. */
  blob?: string;
}

interface Kept {
  files: File[];
  pages: DraftPage[];
  touched: boolean;
  archiveBlob?: string;
  title: string;
  script?: File;
  key: string;
}

/** The estimate of a chapter has a cost, and that of a PDF may have been made of its texts. */
export type Estimate = Schemas["DocumentEstimate"] & Partial<Schemas["ComicEstimate"]>;

const slot = "draft";
const uploadsAtOnce = 3;

class Draft {
  pages = $state.raw<DraftPage[]>([]);
  /** A PDF, which is a task of its own. */
  pdf = $state.raw<File>();
  title = $state("");
  from = $state(remembered("from", "auto"));
  to = $state(remembered("to", "en"));
  script = $state.raw<File>();
  /** The password of an encrypted PDF, which is kept nowhere. */
  password = $state("");
  /** What was dropped and cannot be used, as sentences. */
  problems = $state.raw<string[]>([]);
  reading = $state(false);
  /** From 0 to 1 while the book is uploaded. */
  progress = $state<number>();

  #files: File[] = [];
  #archives = new Map<number, Map<string, ArchivePage>>();
  #touched = false;
  #archiveBlob: string | undefined;
  #key: string = crypto.randomUUID();
  #last = 0;
  #abort: AbortController | undefined;

  get empty(): boolean {
    return this.pages.length === 0 && !this.pdf;
  }

  /** Whether the book is one archive as it was dropped, which is then sent as it is. */
  get whole(): boolean {
    return !this.#touched && this.#files.length === 1 && isArchive(this.#files[0]?.name ?? "");
  }

  get size(): number {
    return this.pdf?.size ?? (this.whole ? (this.#files[0]?.size ?? 0) : this.pages.reduce((sum, p) => sum + p.size, 0));
  }

  async add(files: File[]): Promise<void> {
    this.reading = true;
    this.problems = [];
    const problem = (key: Key, name: string) => (this.problems = [...this.problems, t(key, { name })]);
    const before = this.pages.length;
    const added: DraftPage[] = [];
    for (const f of files) {
      const path = f.webkitRelativePath || f.name;
      if (isLeftover(path)) continue;
      if (f.size === 0) problem("draft.empty", f.name);
      else if (/\.(json|csv)$/i.test(f.name)) this.script = f;
      else if (isPDF(f.name)) {
        if (before + added.length > 0 || files.length > 1) problem("draft.pdfAlone", f.name);
        else this.pdf = f;
      } else if (isImage(f.name)) added.push({ id: ++this.#last, name: path, size: f.size, file: this.#files.push(f) - 1 });
      else if (isArchive(f.name)) {
        const file = this.#files.push(f) - 1;
        const pages = await this.#open(file).catch(() => undefined);
        if (!pages) problem("draft.damaged", f.name);
        else if (pages.length === 0) problem("draft.noPages", f.name);
        for (const p of pages ?? []) added.push({ id: ++this.#last, name: p.path, size: p.size, file, path: p.path });
      } else problem("draft.unknown", f.name);
    }
    if (added.length > 0) this.pdf = undefined;
    if (before > 0 && added.length > 0) this.#touched = true;
    this.pages = [...this.pages, ...added.sort(byName)];
    const first = files[0];
    if (this.title === "" && first && !this.empty) {
      const folder = first.webkitRelativePath.split("/")[0];
      this.title = (folder || first.name).replace(/\.(cbz|zip|pdf|png|jpe?g|webp|gif|bmp)$/i, "");
    }
    this.reading = false;
    this.keep();
  }

  async #open(file: number): Promise<ArchivePage[]> {
    const pages = await pagesOf(this.#files[file] as File);
    this.#archives.set(file, new Map(pages.map((p) => [p.path, p])));
    return pages;
  }

  async read(page: DraftPage): Promise<Blob> {
    if (page.path === undefined) return this.#files[page.file] as File;
    if (!this.#archives.has(page.file)) await this.#open(page.file);
    const found = this.#archives.get(page.file)?.get(page.path);
    if (!found) throw new Error(page.path);
    return found.read();
  }

  move(from: number, to: number): void {
    if (to < 0 || to >= this.pages.length || from === to) return;
    const list = [...this.pages];
    list.splice(to, 0, ...list.splice(from, 1));
    this.#touched = true;
    this.pages = list;
    this.keep();
  }

  remove(page: DraftPage): void {
    this.#touched = true;
    this.pages = this.pages.filter((p) => p !== page);
    if (this.pages.length === 0) void this.clear();
    else this.keep();
  }

  /** Keeps the draft for a reload. A browser that is short of room forgets it then. */
  keep(): void {
    this.#key = crypto.randomUUID();
    this.#store();
  }

  #store(): void {
    const kept: Kept = {
      files: this.pdf ? [this.pdf] : this.#files,
      pages: this.pages,
      touched: this.#touched,
      archiveBlob: this.#archiveBlob,
      title: this.title,
      script: this.script,
      key: this.#key,
    };
    set(slot, kept).catch(() => undefined);
  }

  async restore(): Promise<void> {
    const kept = await get<Kept>(slot).catch(() => undefined);
    if (!kept || !this.empty) return;
    const first = kept.files[0];
    if (kept.pages.length === 0 && first && isPDF(first.name)) this.pdf = first;
    this.#files = kept.files;
    this.#touched = kept.touched;
    this.#archiveBlob = kept.archiveBlob;
    this.#key = kept.key;
    this.#last = Math.max(0, ...kept.pages.map((p) => p.id));
    this.title = kept.title;
    this.script = kept.script;
    this.pages = kept.pages;
  }

  async clear(): Promise<void> {
    this.#abort?.abort();
    this.pages = [];
    this.pdf = undefined;
    this.title = "";
    this.password = "";
    this.script = undefined;
    this.problems = [];
    this.#files = [];
    this.#archives.clear();
    this.#touched = false;
    this.#archiveBlob = undefined;
    await del(slot).catch(() => undefined);
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** Uploads what is not uploaded yet and creates the task. Repeated after a failure, it goes on where it was. */
  async start(): Promise<Task> {
    const abort = new AbortController();
    this.#abort = abort;
    this.progress = 0;
    try {
      const body: Record<string, unknown> = { from: this.from, to: this.to, title: this.title.trim() || undefined };
      if (this.pdf && this.password) body["password"] = this.password;
      body["files"] = await this.#upload(abort.signal);
      if (this.script && !this.pdf) body["script"] = await upload(this.script, () => undefined, abort.signal);
      const task = await this.#create(body, abort.signal);
      remember("from", this.from);
      remember("to", this.to);
      await this.clear();
      return task;
    } finally {
      this.progress = undefined;
    }
  }

  async #upload(signal: AbortSignal): Promise<Schemas["UploadedFile"][]> {
    const archive = this.pdf ?? (this.whole ? this.#files[0] : undefined);
    if (archive) {
      this.#archiveBlob ??= await upload(archive, (share) => (this.progress = share), signal);
      this.#store();
      return [{ name: archive.name, blob: this.#archiveBlob }];
    }
    const sent = new Map<DraftPage, number>();
    const show = () => (this.progress = [...sent.values()].reduce((a, b) => a + b, 0) / Math.max(1, this.size));
    const waiting = [...this.pages];
    const send = async () => {
      for (let page = waiting.shift(); page; page = waiting.shift()) {
        const p = page;
        if (!p.blob) {
          const body = await this.read(p);
          p.blob = await upload(body, (share) => (sent.set(p, share * p.size), show()), signal);
          this.#store();
        }
        sent.set(p, p.size);
        show();
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, send));
    // The server orders pages by their names.
    const digits = String(this.pages.length).length;
    return this.pages.map((p, i) => ({ name: `${String(i + 1).padStart(digits, "0")} ${baseName(p.name)}`, blob: p.blob }));
  }

  async #create(body: Record<string, unknown>, signal: AbortSignal): Promise<Task> {
    const kind = this.pdf ? "document" : "comic";
    const path = session.capabilities?.kinds.find((k) => k.name === kind)?.path;
    if (!path) throw new ApiError(404, "NOT_FOUND", t("draft.noKind"));
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": this.#key },
      body: JSON.stringify(body),
      signal,
    }).catch((e: unknown) => {
      throw signal.aborted ? e : failed(offline());
    });
    if (!answer.ok) throw failed(errorOf(answer.status, await answer.json().catch(() => null), answer.headers.get("Retry-After")));
    return (await answer.json()) as Task;
  }

  /** What the translation would take. The files are uploaded for it, and not again for the task. */
  async estimate(): Promise<Estimate> {
    const kind = this.pdf ? "document" : "comic";
    const path = session.capabilities?.kinds.find((k) => k.name === kind && k.estimate)?.path;
    if (!path) throw new ApiError(404, "NOT_FOUND", t("draft.noKind"));
    const abort = new AbortController();
    this.#abort = abort;
    this.progress = 0;
    const files = await this.#upload(abort.signal).finally(() => (this.progress = undefined));
    const body = JSON.stringify({ from: this.from, to: this.to, files, password: this.password || undefined });
    const answer = await fetch(`${path}/estimate`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {
      throw failed(offline());
    });
    if (!answer.ok) throw failed(errorOf(answer.status, await answer.json().catch(() => null)));
    return (await answer.json()) as Estimate;
  }
}

export const draft = new Draft();
