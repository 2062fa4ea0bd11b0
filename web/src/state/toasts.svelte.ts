// Short messages that say what happened.
export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

class Toasts {
  list = $state<Toast[]>([]);
  #last = 0;

  say(text: string, bad = false): void {
    const id = ++this.#last;
    this.list.push({ id, text, bad });
    setTimeout(() => this.close(id), bad ? 12_000 : 5_000);
  }

  close(id: number): void {
    this.list = this.list.filter((t) => t.id !== id);
  }
}

export const toasts = new Toasts();
