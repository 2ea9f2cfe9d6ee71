/** Numbers from a seed: the same seed gives the same numbers on every machine (sfc32, seeded by a hash of the text). */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: string) {
    let [h1, h2, h3] = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
    for (let at = 0; at < seed.length; at++) {
      const code = seed.charCodeAt(at);
      h1 = Math.imul(h1 ^ code, 0x85ebca6b);
      h2 = Math.imul(h2 ^ (code + at), 0xc2b2ae35);
      h3 = Math.imul(h3 ^ (code * 31), 0x27d4eb2f);
    }
    [this.a, this.b, this.c] = [h1 >>> 0, h2 >>> 0, h3 >>> 0];
    for (let warm = 0; warm < 12; warm++) this.next();
  }

  /** 0 ≤ n < 1. */
  next(): number {
    return this.word() / 0x1_0000_0000;
  }
  word(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
  /** A whole number below `n`. */
  int(n: number): number {
    return Math.floor(this.next() * n);
  }
  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }
  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }
  bytes(size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; at++) bytes[at] = this.word() & 0xff;
    return bytes;
  }
}
