// Regions of which a model is asked for other translations.
import { type ApiError, client, take, type Text } from "../api/client";
import { t } from "../i18n/index.svelte";
import { toasts } from "./toasts.svelte";

export class Alternatives {
  /** The regions, each with the request that ended before. */
  #asked = $state.raw<ReadonlyMap<number, string | undefined>>(new Map());

  constructor(
    readonly task: string,
    readonly item: number,
  ) {}

  asks(index: number): boolean {
    return this.#asked.has(index);
  }

  /** Asks for other translations of a region. They appear with the region. */
  async ask({ region_index: index, alternatives }: Text): Promise<void> {
    if (this.asks(index)) return;
    this.#asked = new Map(this.#asked).set(index, alternatives?.request);
    try {
      const params = { path: { id: this.task, item: this.item }, header: { "Idempotency-Key": crypto.randomUUID() } };
      await take(client.POST("/v1/comic/translations/{id}/items/{item}/regions/alternatives", { params, body: { region_index: index } }));
    } catch (e) {
      toasts.say((e as ApiError).message || t("alternatives.offline"), true);
      this.#end(index);
    }
  }

  /** Takes note of a region as the server has it: the answer may have come. */
  look({ region_index: index, alternatives }: Text): void {
    if (this.asks(index) && alternatives?.request !== this.#asked.get(index)) this.#end(index);
  }

  #end(index: number): void {
    const asked = new Map(this.#asked);
    asked.delete(index);
    this.#asked = asked;
  }
}
