// A region of a page as a person edits it: what the server has, what the person chose, and the steps of undo.
import type { Schemas, Text } from "../api/client";

export type RegionState = "saved" | "changed" | "saving" | "waiting" | "conflict" | "refused";

export type Edited = Schemas["EditRegions"]["regions"][number];
/** What a person chooses for a region besides its translation. */
export type Choice = Pick<Edited, "kind" | "area" | "style" | "erased" | "deleted" | "place" | "joined_into" | "cut">;

export interface Region {
  /** The region with what the person chose. */
  text: Text;
  /** What the person chose and the server does not have yet. */
  choice?: Choice;
  /** What the person has written. */
  draft: string;
  /** What the server has, as far as this page knows. */
  base: string;
  state: RegionState;
  /** In a conflict, the translation of somebody else; otherwise why the server refused. */
  other?: string;
}

export interface Change {
  index: number;
  from: string | Choice;
  to: string | Choice;
}

/** Changes that are undone together. */
export type Step = Change[];

export interface Kept {
  draft: string;
  base: string;
  choice?: Choice;
}

/** What a region has of the fields of a choice, as a choice that restores it. */
export function before(text: Text, choice: Choice): Choice {
  const all: Choice = { kind: text.kind ?? "", area: text.area ?? [0, 0, 0, 0], style: text.style ?? {}, erased: text.erased ?? false, deleted: text.deleted ?? false, place: text.place ?? 0, joined_into: text.joined_into ?? -1, cut: text.cut ?? 0 };
  return Object.fromEntries(Object.keys(choice).map((k) => [k, all[k as keyof Choice]]));
}

export const sameFields = (a: Choice, b: Choice): boolean => Object.keys(a).join() === Object.keys(b).join();

/** A region after a choice, as the server will show it. */
export function chosen(text: Text, choice: Choice | undefined): Text {
  const { kind, area, place, joined_into, cut, ...others } = choice ?? {};
  const after: Text = { ...text, ...others };
  if (place !== undefined) after.place = place || undefined;
  if (joined_into !== undefined) after.joined_into = joined_into >= 0 ? joined_into : undefined;
  if (cut !== undefined) after.cut = cut || undefined;
  if (kind) after.kind = kind;
  if (area) after.area = area.some((n) => n !== 0) ? area : undefined;
  return after;
}

/** Texts that are written without spaces between words: those of Chinese and Japanese. */
const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/;

/** One text of two. */
export function joined(a: string, b: string): string {
  if (a === "" || b === "" || unspaced.test(a.at(-1) ?? "") || unspaced.test(b[0] ?? "")) return a + b;
  return `${a} ${b}`;
}

/** The place of a region in reading order. */
export const placeOf = (r: Region): number => r.text.place ?? r.text.region_index + 1;

export const shownAs = (text: Text): Region => ({ text, draft: text.translation ?? "", base: text.translation ?? "", state: "saved" });

/** What has changed of a region since it was read before, as changes that undo takes back. */
export function changesOf(index: number, was: { base: string; text: Text } | undefined, now: Region): Step {
  if (!was) return [{ index, from: { deleted: true }, to: { deleted: false } }];
  const step: Step = was.base === now.base ? [] : [{ index, from: was.base, to: now.base }];
  const [from, to] = [was, now].map(({ text }) => before(text, { cut: 0, joined_into: -1, area: [] }));
  if (from && to && JSON.stringify(from) !== JSON.stringify(to)) step.push({ index, from, to });
  return step;
}
