import { LRUCache } from 'lru-cache';

/** Maximum size of all kept answers: enough for those of every language and list several times over. */
const BYTES_MAX = 8 * 1024 * 1024;
/** Older answers are not sent: they no longer describe the market. */
const AGE_MS_MAX = 10 * 60_000;

interface Kept {
  readonly at: number;
  readonly body: Buffer;
}

/**
 * Keeps the last answers of public calls whose service has one copy, such as quotations. They are sent with their age
 * while that copy is unavailable.
 */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, Kept>({
    maxSize: BYTES_MAX,
    maxEntrySize: BYTES_MAX / 8,
    sizeCalculation: ({ body }, name) => body.length + name.length + 64,
  });

  keep(name: string, body: Buffer, now: number): void {
    this.answers.set(name, { at: now, body });
  }

  /** Returns the last answer with `age_ms` beside its message; undefined: none is young enough. */
  readLast(name: string, now: number): { readonly body: string; readonly ageMs: number } | undefined {
    const kept = this.answers.get(name);
    if (!kept) return undefined;
    const ageMs = Math.max(0, now - kept.at);
    if (ageMs > AGE_MS_MAX) {
      this.answers.delete(name);
      return undefined;
    }
    const envelope = JSON.parse(kept.body.toString('utf8')) as object;
    return { body: JSON.stringify({ ...envelope, age_ms: ageMs }), ageMs };
  }
}
