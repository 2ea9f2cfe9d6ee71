import { Unavailable } from '@bourse/platform';
import type { Lane } from '../application/ports/passwords.js';

/** Too many passwords are waiting to be hashed; nothing was done. */
export class PasswordsBusy extends Unavailable {}

interface Waiting {
  readonly key: string;
  go(): void;
  refuse(error: PasswordsBusy): void;
}

/**
 * One queue. Keys take turns, so that many requests of one key delay the others by one place each; when the queue is
 * full, the key with most entries loses its newest, and a newcomer of that key is refused itself.
 */
class Line {
  private readonly byKey = new Map<string, Waiting[]>();
  private count = 0;

  constructor(private readonly max: number) {}

  /** False: the queue has no place for this entry. */
  add(one: Waiting): boolean {
    if (this.count >= this.max) {
      const heaviest = [...this.byKey.values()].reduce((most, list) => (list.length > most.length ? list : most));
      if (heaviest.length <= (this.byKey.get(one.key)?.length ?? 0) + 1) return false;
      heaviest.pop()?.refuse(new PasswordsBusy('others of this address wait already'));
      this.count -= 1;
    }
    const list = this.byKey.get(one.key);
    if (list) list.push(one);
    else this.byKey.set(one.key, [one]);
    this.count += 1;
    return true;
  }

  next(): Waiting | undefined {
    const [turn] = this.byKey;
    if (!turn) return undefined;
    const [key, list] = turn;
    const one = list.shift();
    // The key moves to the end of the turns, or is removed.
    this.byKey.delete(key);
    if (list.length > 0) this.byKey.set(key, list);
    this.count -= 1;
    return one;
  }
}

/**
 * Runs slow work a few at a time, with two queues: one for known people, one for strangers, who can fill only their
 * own. If both wait they take turns, so that neither starves the other (invariants §5) [HARD-309].
 */
export class HashQueue {
  private readonly known: Line;
  private readonly strangers: Line;
  private running = 0;
  private lastWasKnown = false;

  constructor(
    private readonly atOnce: number,
    maxWaiting: number,
  ) {
    this.known = new Line(maxWaiting);
    this.strangers = new Line(maxWaiting);
  }

  /** Throws `PasswordsBusy` when the queue of this lane is full, or when this entry is dropped for another key's. */
  async run<T>({ known, key }: Lane, work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else
      await new Promise<void>((go, refuse) => {
        if (!(known ? this.known : this.strangers).add({ key, go, refuse }))
          refuse(new PasswordsBusy('too many passwords wait to be hashed'));
      });
    try {
      return await work();
    } finally {
      // A finished task passes its slot to the next one.
      const next = this.next();
      if (next) next.go();
      else this.running -= 1;
    }
  }

  private next(): Waiting | undefined {
    const [first, second] = this.lastWasKnown ? [this.strangers, this.known] : [this.known, this.strangers];
    const one = first.next();
    this.lastWasKnown = one ? first === this.known : second === this.known;
    return one ?? second.next();
  }
}
