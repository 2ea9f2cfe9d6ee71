import { inScope, settled, type Scope } from './host.js';
import { Random } from './random.js';

/** The instant at which every simulated world begins. */
export const BEGINNING = Date.UTC(2026, 0, 5, 23, 59, 51);

interface Event {
  readonly at: number;
  readonly order: number;
  readonly process: SimulatedProcess;
  readonly label: string;
  run: (() => void) | null;
}

/** A process: its code ends for ever when it is killed, and does not run while it is stopped. */
export class SimulatedProcess implements Scope {
  alive = true;
  /** Stopped (SIGSTOP) until then. */
  stoppedUntil = 0;
  /** Its wall clock is off by this, ms. */
  skew = 0;
  /** Everything it does takes so much longer, ms. */
  slowness = 0;
  readonly startedAt: number;

  constructor(
    readonly name: string,
    readonly life: number,
    private readonly simulator: Simulator,
  ) {
    this.startedAt = simulator.now;
  }

  get id(): string {
    return `${this.name}.${this.life}`;
  }
  wall(): number {
    return Math.floor(this.simulator.now + this.skew);
  }
  monotonic(): number {
    return this.simulator.now - this.startedAt;
  }
  timer(ms: number, fire: () => void): () => void {
    return this.simulator.schedule(this, ms, 'timer', fire);
  }
  bytes(size: number): Buffer {
    return this.simulator.random.bytes(size);
  }
}

/**
 * Virtual time and one queue of events. Whatever crosses a border (a statement, an answer, a record, a timer) is an
 * event, and between two events everything runs that waits for nothing: so the order of all things follows from the
 * seed alone.
 */
export class Simulator {
  now = BEGINNING;
  readonly random: Random;
  readonly machine: SimulatedProcess;
  events = 0;
  private readonly heap: Event[] = [];
  private orders = 0;
  private h1 = 0x811c9dc5;
  private h2 = 0x1000193;
  /** Called with each line of the trace; the hash is kept up in any case. */
  trace: ((line: string) => void) | null = null;

  constructor(readonly seed: string) {
    this.random = new Random(seed);
    this.machine = new SimulatedProcess('machine', 0, this);
  }

  /** Runs `run` in a process after some time, unless it was killed before. Returns what takes it back. */
  schedule(process: SimulatedProcess, ms: number, label: string, run: () => void): () => void {
    const event: Event = { at: this.now + ms + process.slowness, order: this.orders++, process, label, run };
    this.push(event);
    return () => {
      event.run = null;
    };
  }

  /** A timer outside of every process, which no kill ends: of the machine, a server, the network. */
  after(ms: number, label: string, run: () => void): () => void {
    return this.schedule(this.machine, ms, label, run);
  }

  note(line: string): void {
    const text = `${(this.now - BEGINNING).toFixed(3)} ${line}`;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      this.h1 = Math.imul(this.h1 ^ code, 0x01000193);
      this.h2 = Math.imul(this.h2 ^ code, 0x85ebca6b) ^ (this.h2 >>> 13);
    }
    this.trace?.(text);
  }

  /** Hash of everything that has happened. */
  get hash(): string {
    return [this.h1, this.h2].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** Runs until `done`, at most so long in virtual time. True if it was done. */
  async run(done: () => boolean, msMax: number): Promise<boolean> {
    const end = this.now + msMax;
    for (;;) {
      if (done()) return true;
      const event = this.pop();
      if (!event) return done();
      if (event.at > end) {
        this.push(event);
        this.now = end;
        return done();
      }
      this.now = Math.max(this.now, event.at);
      const { process, run } = event;
      if (run === null || !process.alive) continue;
      if (process.stoppedUntil > this.now) {
        this.push({
          at: process.stoppedUntil,
          order: event.order,
          process,
          label: event.label,
          get run() {
            return event.run;
          },
        });
        continue;
      }
      this.events += 1;
      this.note(`${process.id} ${event.label}`);
      inScope(process, run);
      await settled();
    }
  }

  private push(event: Event): void {
    const { heap } = this;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up] as Event;
      if (!before(event, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = event;
  }

  private pop(): Event | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (!before(heap[child] as Event, last)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const before = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
