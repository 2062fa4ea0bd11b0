// Sums of what models cost, as a plot and tables show them.
import type { Schemas } from "../api/client";

export type Cost = Schemas["Cost"];
export type Measure = "cost" | "tokens" | "calls";

export const measured = (c: Cost, m: Measure): number =>
  m === "cost" ? c.cost_micros / 1e6 : m === "tokens" ? c.input_tokens + c.output_tokens : c.calls;

/** The days from one to another, as YYYY-MM-DD. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** What a model took in all days, with the largest first. */
export function byModel(costs: Cost[], m: Measure): Cost[] {
  const sums = new Map<string, Cost>();
  for (const c of costs) {
    const key = JSON.stringify([c.provider, c.model]);
    const sum = sums.get(key);
    sums.set(key, sum ? added(sum, c) : c);
  }
  return [...sums.values()].sort((a, b) => measured(b, m) - measured(a, m) || a.model.localeCompare(b.model));
}

export const added = (a: Cost, b: Cost): Cost => ({
  ...a,
  calls: a.calls + b.calls,
  failed_calls: a.failed_calls + b.failed_calls,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cost_micros: a.cost_micros + b.cost_micros,
});

export interface Series {
  name: string;
  /** One for each day. */
  values: number[];
}

/** Models beyond these are drawn as one: more colors cannot be told apart. */
export const mostSeries = 7;

/** The values of each model by day, in the order of byModel. */
export function seriesOf(costs: Cost[], models: Cost[], days: string[], m: Measure, others: string): Series[] {
  const series = models.slice(0, mostSeries).map((model) => ({ name: model.model, values: days.map(() => 0) }));
  if (models.length > mostSeries) series.push({ name: others, values: days.map(() => 0) });
  for (const c of costs) {
    const of = Math.min(mostSeries, models.findIndex((model) => model.provider === c.provider && model.model === c.model));
    const values = series[of]?.values;
    const day = days.indexOf(c.day);
    if (values && day >= 0) values[day] = (values[day] ?? 0) + measured(c, m);
  }
  return series;
}
