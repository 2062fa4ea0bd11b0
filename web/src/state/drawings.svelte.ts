// Regions that a person draws where the reading has missed a text, on their way to the server. They are kept in this browser until it has them.
import { type ApiError, client, isLasting, take } from "../api/client";
import { remember, remembered } from "./remember";
import { toasts } from "./toasts.svelte";

interface Drawing {
  /** Makes the request one, however often it is sent. */
  key: string;
  area: number[];
}

export class Drawings {
  list = $state.raw<Drawing[]>([]);
  #ended = false;
  readonly #slot: string;

  /** Ondrawn is called with the index of each region that the server has. */
  constructor(
    readonly task: string,
    readonly item: number,
    readonly ondrawn: (index: number) => Promise<void>,
  ) {
    this.#slot = `edits.${task}.${item}.drawn`;
  }

  /** Sends what this browser has kept. */
  restore(): void {
    this.list = remembered<Drawing[]>(this.#slot, []);
    for (const drawing of this.list) void this.#send(drawing);
  }

  /** Ends the sending. What is kept is sent when the page is opened again. */
  end(): void {
    this.#ended = true;
  }

  /** Adds a region. Returns its index, or nothing if the server refuses it. */
  add(area: number[]): Promise<number | undefined> {
    const drawing = { key: crypto.randomUUID(), area };
    this.#keep([...this.list, drawing]);
    return this.#send(drawing);
  }

  async #send(drawing: Drawing): Promise<number | undefined> {
    let index: number | undefined;
    while (index === undefined && !this.#ended) {
      try {
        const params = { path: { id: this.task, item: this.item }, header: { "Idempotency-Key": drawing.key } };
        index = (await take(client.POST("/v1/comic/translations/{id}/items/{item}/regions", { params, body: { area: drawing.area } }))).region_index;
      } catch (e) {
        if (isLasting(e as ApiError)) {
          toasts.say((e as ApiError).message, true);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
    if (this.#ended) return undefined;
    this.#keep(this.list.filter((d) => d.key !== drawing.key));
    if (index !== undefined) await this.ondrawn(index);
    return index;
  }

  #keep(list: Drawing[]): void {
    this.list = list;
    remember(this.#slot, list.length > 0 ? list : undefined);
  }
}
