// The book that a person is about to have translated. It is kept in this browser, with what was uploaded of it, until the task is created.
import { del, get, set } from "idb-keyval";
import { ApiError, errorOf, failed, offline, type Schemas, type Task, upload, uploadFile } from "../api/client";
import { type Key, t } from "../i18n/index.svelte";
import { type ArchivePage, pagesOf } from "./archive";
import { baseName, byName, isArchive, isImage, isLeftover, isPDF, isVideo } from "./files";
import { remember, remembered } from "./remember";
import { session } from "./session.svelte";
import { video } from "./video.svelte";

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
  /** The parts of a large file that are uploaded. */
  parts?: string[];
  /** Whether a video is to be made of the picture. */
  filming?: boolean;
  prompt?: string;
  title: string;
  script?: File;
  key: string;
}

/** The estimate of a chapter has a cost, and that of a PDF may have been made of its texts. */
export type Estimate = Schemas["DocumentEstimate"] & Partial<Schemas["ComicEstimate"]>;

export type VideoEstimate = Schemas["VideoEstimate"]["output"];

const slot = "draft";
const uploadsAtOnce = 3;

class Draft {
  pages = $state.raw<DraftPage[]>([]);
  /** A PDF or a video, which is a task of its own. */
  single = $state.raw<File>();
  /** Whether the picture becomes a video and not a page. */
  filming = $state(false);
  title = $state("");
  from = $state(remembered("from", "auto"));
  to = $state(remembered("to", "en"));
  /** Which files the result of a PDF has. */
  output = $state<"mono" | "dual" | "both">(remembered("output", "mono"));
  script = $state.raw<File>();
  /** The password of an encrypted PDF, which is kept nowhere. */
  password = $state("");
  /** What was dropped and cannot be used, as sentences. */
  problems = $state.raw<string[]>([]);
  reading = $state(false);
  /** Whether the last change is not yet kept for a reload. */
  keeping = $state(false);
  /** From 0 to 1 while the book is uploaded. */
  progress = $state<number>();

  #files: File[] = [];
  #archives = new Map<number, Map<string, ArchivePage>>();
  #touched = false;
  #archiveBlob: string | undefined;
  #parts: string[] = [];
  #key: string = crypto.randomUUID();
  #last = 0;
  #write: Promise<void> | undefined;
  #abort: AbortController | undefined;

  get empty(): boolean {
    return this.pages.length === 0 && !this.single;
  }

  get kind(): "comic" | "document" | "video" {
    if (this.single) return isPDF(this.single.name) ? "document" : "video";
    return this.filming && this.pages.length === 1 ? "video" : "comic";
  }

  get pdf(): File | undefined {
    return this.kind === "document" ? this.single : undefined;
  }

  /** Whether the book is one archive as it was dropped, which is then sent as it is. */
  get whole(): boolean {
    return !this.#touched && this.#files.length === 1 && isArchive(this.#files[0]?.name ?? "");
  }

  get size(): number {
    return this.single?.size ?? (this.whole ? (this.#files[0]?.size ?? 0) : this.pages.reduce((sum, p) => sum + p.size, 0));
  }

  get tooLarge(): boolean {
    return this.size > (session.capabilities?.limits.max_body ?? Infinity);
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
      else if (isPDF(f.name) || isVideo(f.name)) {
        if (before + added.length > 0 || files.length > 1) problem(isPDF(f.name) ? "draft.pdfAlone" : "draft.videoAlone", f.name);
        else this.#replace(f);
      } else if (isImage(f.name)) added.push({ id: ++this.#last, name: path, size: f.size, file: this.#files.push(f) - 1 });
      else if (isArchive(f.name)) {
        const file = this.#files.push(f) - 1;
        const pages = await this.#open(file).catch(() => undefined);
        if (!pages) problem("draft.damaged", f.name);
        else if (pages.length === 0) problem("draft.noPages", f.name);
        for (const p of pages ?? []) added.push({ id: ++this.#last, name: p.path, size: p.size, file, path: p.path });
      } else problem("draft.unknown", f.name);
    }
    if (added.length > 0) this.#replace(undefined);
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

  /** Takes another file in the place of a PDF or a video, of which nothing is uploaded then. */
  #replace(file: File | undefined): void {
    this.single = file;
    this.#archiveBlob = undefined;
    this.#parts = [];
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
    if (this.tooLarge) return; // it cannot be sent, and would fill the disk
    const kept: Kept = {
      files: this.single ? [this.single] : this.#files,
      pages: this.pages,
      touched: this.#touched,
      archiveBlob: this.#archiveBlob,
      parts: [...this.#parts],
      filming: this.filming,
      prompt: video.prompt,
      title: this.title,
      script: this.script,
      key: this.#key,
    };
    const write = set(slot, kept)
      .catch(() => undefined)
      .then(() => {
        if (this.#write === write) this.keeping = false;
      });
    this.#write = write;
    this.keeping = true;
  }

  async restore(): Promise<void> {
    const kept = await get<Kept>(slot).catch(() => undefined);
    if (!kept || !this.empty) return;
    const first = kept.files[0];
    if (kept.pages.length === 0 && first && (isPDF(first.name) || isVideo(first.name))) this.single = first;
    this.#files = this.single ? [] : kept.files;
    this.#parts = kept.parts ?? [];
    this.filming = kept.filming ?? false;
    video.prompt = kept.prompt ?? "";
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
    this.single = undefined;
    this.filming = false;
    video.prompt = "";
    this.title = "";
    this.password = "";
    this.script = undefined;
    this.problems = [];
    this.#files = [];
    this.#archives.clear();
    this.#touched = false;
    this.#archiveBlob = undefined;
    this.#parts = [];
    await del(slot).catch(() => undefined);
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** Uploads what is not uploaded yet and creates the task, whose id it returns. Repeated after a failure, it goes on where it was. */
  async start(): Promise<string> {
    const abort = new AbortController();
    this.#abort = abort;
    this.progress = 0;
    try {
      if (this.kind === "video") {
        const { output } = await this.#post<Schemas["VideoAccepted"]>("", await this.#videoBody(abort.signal), abort.signal);
        await this.clear();
        return output.task_id;
      }
      const body: Record<string, unknown> = { from: this.from, to: this.to, title: this.title.trim() || undefined };
      if (this.pdf) {
        body["output"] = this.output;
        if (this.password) body["password"] = this.password;
      }
      body["files"] = await this.#upload(abort.signal);
      if (this.script && !this.pdf) body["script"] = await upload(this.script, () => undefined, abort.signal);
      const task = await this.#post<Task>("", body, abort.signal);
      remember("from", this.from);
      remember("to", this.to);
      remember("output", this.output);
      await this.clear();
      return task.id;
    } finally {
      this.progress = undefined;
    }
  }

  async #upload(signal: AbortSignal): Promise<Schemas["UploadedFile"][]> {
    const archive = this.single ?? (this.whole ? this.#files[0] : undefined);
    if (archive) {
      this.#archiveBlob ??= await uploadFile(archive, this.#parts, () => this.#store(), (share) => (this.progress = share), signal);
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

  /** The request for a video: of the video that is to be enlarged, or of the picture. */
  async #videoBody(signal: AbortSignal): Promise<Schemas["VideoRequest"]> {
    const page = this.pages[0];
    if (this.single || !page) return video.enlarge((await this.#upload(signal))[0]?.blob ?? "");
    return video.film(await this.read(page));
  }

  /** Sends a request about a task of the kind to its path, or to one below it. The request that creates the task has a key, so that it can be repeated. */
  async #post<T>(below: "" | "/estimate", body: object, signal: AbortSignal): Promise<T> {
    const path = session.capabilities?.kinds.find((k) => k.name === this.kind && (below === "" || k.estimate))?.path;
    if (!path) throw new ApiError(404, "NOT_FOUND", t("draft.noKind"));
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (below === "") headers["Idempotency-Key"] = this.#key;
    const answer = await fetch(path + below, { method: "POST", headers, body: JSON.stringify(body), signal }).catch((e: unknown) => {
      throw signal.aborted ? e : failed(offline());
    });
    if (!answer.ok) throw failed(errorOf(answer.status, await answer.json().catch(() => null), answer.headers.get("Retry-After")));
    return (await answer.json()) as T;
  }

  /** What the translation would take. The files are uploaded for it, and not again for the task. */
  async estimate(): Promise<Estimate> {
    const abort = new AbortController();
    this.#abort = abort;
    this.progress = 0;
    const files = await this.#upload(abort.signal).finally(() => (this.progress = undefined));
    return this.#post<Estimate>("/estimate", { from: this.from, to: this.to, files, password: this.password || undefined }, abort.signal);
  }

  /** What the video would cost, and when it would be made. Nothing is uploaded for it. */
  async estimateVideo(): Promise<VideoEstimate> {
    const type = this.single ? "video_upscale" : "image_to_video";
    return (await this.#post<Schemas["VideoEstimate"]>("/estimate", video.estimate(type), new AbortController().signal)).output;
  }
}

export const draft = new Draft();
