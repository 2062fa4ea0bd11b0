// The edits of a page that can be undone and done again.
import { type Choice, sameFields, type Step } from "./regions";

/** Edits of one text that follow each other within this time, in milliseconds, are undone together. */
const together = 1000;

export class History {
  undoable = $state.raw<Step[]>([]);
  redoable = $state.raw<Step[]>([]);
  #addedAt = 0;

  /** Adds what a person has done. */
  add(step: Step): void {
    const before = this.undoable.at(-1);
    const [change, last] = [step[0], before?.[0]];
    if (!change) return;
    const now = Date.now();
    const alike = last && step.length === 1 && before?.length === 1 && (typeof change.from === "string" ? last.to === change.from : typeof last.to !== "string" && sameFields(last.to, change.to as Choice));
    const one = alike && last.index === change.index && now - this.#addedAt < together;
    this.undoable = one ? [...this.undoable.slice(0, -1), [{ ...change, from: last.from }]] : [...this.undoable, step];
    this.#addedAt = now;
    this.redoable = [];
  }

  /** Returns the changes that take the last step back, if there is one. */
  undo(): Step {
    const step = reversed(this.undoable.at(-1));
    if (step.length === 0) return step;
    this.undoable = this.undoable.slice(0, -1);
    this.redoable = [...this.redoable, step];
    return step;
  }

  /** Returns the changes that make what was taken back last, if anything. */
  redo(): Step {
    const step = reversed(this.redoable.at(-1));
    if (step.length === 0) return step;
    this.redoable = this.redoable.slice(0, -1);
    this.undoable = [...this.undoable, step];
    return step;
  }
}

const reversed = (step: Step = []): Step => step.map(({ index, from, to }) => ({ index, from: to, to: from }));
