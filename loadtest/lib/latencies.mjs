const MOST_MS = 60_000;

/** Whole milliseconds, counted one by one: exact percentiles of millions in little memory. */
export class Latencies {
  #counts = new Uint32Array(MOST_MS + 1);
  #total = 0;

  add(ms) {
    this.#counts[Math.min(MOST_MS, Math.max(0, ms))] += 1;
    this.#total += 1;
  }

  /** `{ count, p50, p95, p99, max }` in ms; null where nothing was counted. */
  summary() {
    return { count: this.#total, p50: this.#at(0.5), p95: this.#at(0.95), p99: this.#at(0.99), max: this.#at(1) };
  }

  #at(share) {
    if (this.#total === 0) return null;
    const place = Math.ceil(this.#total * share);
    let passed = 0;
    for (let ms = 0; ; ms += 1) {
      passed += this.#counts[ms];
      if (passed >= place) return ms;
    }
  }
}

/** The number behind a name in a text of JSON, found without reading the rest; NaN when the name is not there. */
export function numberAfter(text, name) {
  const at = text.indexOf(name);
  if (at < 0) return Number.NaN;
  return Number(/^\d+/.exec(text.slice(at + name.length, at + name.length + 20))?.[0] ?? Number.NaN);
}
