// The stream of events of the tenant: one connection for the whole page. It resumes after the last event by itself.
import type { Schemas, TaskEvent } from "../api/client";
import { session } from "./session.svelte";

type Event = Schemas["Event"];

const types = [
  "task.queued",
  "task.started",
  "task.progress",
  "task.paused",
  "task.resumed",
  "task.cancel_requested",
  "task.ended",
  "task.edited",
  "stream.opened",
  "stream.truncated",
  "stream.closed",
] as const;

interface Follower {
  /** Something happened to a task. */
  event(type: string, data: TaskEvent): void;
  /** Events may be missing: read everything again. */
  reload(): void;
}

const firstWait = 500;
const longestWait = 10_000;

class Live {
  #followers = new Set<Follower>();
  #source: EventSource | undefined;
  #last = "";
  #wait = firstWait;
  #timer = 0;

  /** Follows the events until the function that it returns is called. */
  follow(f: Follower): () => void {
    this.#followers.add(f);
    return () => this.#followers.delete(f);
  }

  start(): void {
    this.stop();
    this.#last = "";
    this.#connect();
    addEventListener("online", this.#connect);
  }

  stop(): void {
    removeEventListener("online", this.#connect);
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #connect = (): void => {
    clearTimeout(this.#timer);
    this.#source?.close();
    const source = new EventSource(`/v1/events${this.#last ? `?last_event_id=${this.#last}` : ""}`);
    this.#source = source;
    source.onopen = () => {
      this.#wait = firstWait;
      session.offline = false;
    };
    // The browser would connect again by itself, but not after an answer such as 503.
    source.onerror = () => {
      source.close();
      void this.#reconnect();
    };
    for (const type of types) source.addEventListener(type, (e) => this.#receive(JSON.parse((e as MessageEvent<string>).data) as Event));
  };

  async #reconnect(): Promise<void> {
    this.#timer = setTimeout(this.#connect, this.#wait);
    this.#wait = Math.min(longestWait, this.#wait * 2);
    const answer = await fetch("/v1/session").catch(() => undefined);
    if (answer?.status === 204) {
      this.stop();
      await session.load().catch(() => undefined);
      session.ended = true;
      return;
    }
    session.offline = !answer?.ok;
  }

  #receive(e: Event): void {
    if (e.id) this.#last = e.id;
    for (const f of this.#followers) {
      if (e.type === "stream.opened" || e.type === "stream.truncated") f.reload();
      else if (e.data) f.event(e.type, e.data);
    }
  }
}

export const live = new Live();
