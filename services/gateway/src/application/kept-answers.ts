import { LRUCache } from 'lru-cache';

/** What is kept together, at most: the answers of every language and list, many times over. */
const BYTES_MAX = 8 * 1024 * 1024;
/** An older one says nothing any more of a market. */
const AGE_MS_MAX = 10 * 60_000;

interface Kept {
  readonly at: number;
  readonly body: Buffer;
}

/**
 * Last answers of calls that anybody may make and whose service has one copy, such as quotations: while that one is
 * away they are given again, with their age.
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

  /** The last answer with `age_ms` beside its message; undefined where none is young enough. */
  again(name: string, now: number): { readonly body: string; readonly ageMs: number } | undefined {
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
