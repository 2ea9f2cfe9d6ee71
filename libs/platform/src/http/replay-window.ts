/** Requests of one sender may arrive out of order by this many numbers. */
const WIDTH = 16_384;
const SENDERS_MAX = 1_000;

interface Sender {
  highest: number;
  /** One bit per number of the last `WIDTH`. */
  readonly bits: Uint32Array;
  seenAt: number;
}

/**
 * Recognises repeated requests by their numbers, as IPsec does (RFC 4303, 3.4.3): a sender counts its
 * requests, and the receiver keeps one bit for each of the last ones. So its memory is bounded under any load. Senders
 * that were silent for `keptMs` are forgotten; their requests must be too old by then to be accepted at all.
 */
export class ReplayWindow {
  private readonly senders = new Map<string, Sender>();

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Returns whether the number is new, and records it. A number older than the window counts as a repeat.
   */
  take(name: string, number: number): boolean {
    const at = this.now();
    let sender = this.senders.get(name);
    if (!sender) {
      this.forget(at);
      if (this.senders.size >= SENDERS_MAX) return false;
      this.senders.set(name, (sender = { highest: number, bits: new Uint32Array(WIDTH / 32), seenAt: at }));
    }
    sender.seenAt = at;
    if (number <= sender.highest - WIDTH) return false;
    for (let next = Math.max(sender.highest + 1, number - WIDTH + 1); next <= number; next += 1)
      mark(sender, next, false);
    sender.highest = Math.max(sender.highest, number);
    if (isMarked(sender, number)) return false;
    mark(sender, number, true);
    return true;
  }

  private forget(at: number): void {
    for (const [name, { seenAt }] of this.senders) if (at - seenAt > this.keptMs) this.senders.delete(name);
  }
}

const placeOf = (number: number): number => ((number % WIDTH) + WIDTH) % WIDTH;
const isMarked = ({ bits }: Sender, number: number): boolean => {
  const place = placeOf(number);
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
};
function mark({ bits }: Sender, number: number, is: boolean): void {
  const place = placeOf(number);
  const word = bits[place >>> 5] ?? 0;
  bits[place >>> 5] = is ? word | (1 << (place & 31)) : word & ~(1 << (place & 31));
}
