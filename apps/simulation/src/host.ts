import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/**
 * The machine of a simulated process: clocks, timers and randomness. Real code uses the globals; inside a scope they
 * belong to that scope, outside of every scope they are the original ones.
 */
export interface Scope {
  /** Wall clock, ms. */
  wall(): number;
  /** Monotonic clock, ms. */
  monotonic(): number;
  /** Calls back after the time, in this scope. Returns what cancels it. */
  timer(ms: number, fire: () => void): () => void;
  bytes(size: number): Buffer;
}

const scopes = new AsyncLocalStorage<Scope>();
/** Runs in a scope; awaited continuations stay in it. */
export function inScope<T>(scope: Scope, run: () => T): T {
  return scopes.run(scope, run);
}

/** Real ones, for the loop that drives the simulation. */
const real = { setImmediate: globalThis.setImmediate, setTimeout: globalThis.setTimeout };
/** Turns of the event loop per batch: the loop polls sockets and files only between two batches. */
const TURNS = 256;
const waiting: (() => void)[] = [];
let turnsAhead = 0;
const turn = (): void => {
  turnsAhead -= 1;
  waiting.shift()?.();
};
/** Lets everything run that waits for nothing but its turn. */
export function settled(): Promise<void> {
  if (turnsAhead === 0) for (; turnsAhead < TURNS; turnsAhead++) real.setImmediate(turn);
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

class SimulatedTimer {
  private cancelled: () => void;
  private readonly again: () => () => void;
  constructor(start: () => () => void) {
    this.again = start;
    this.cancelled = start();
  }
  cancel(): void {
    this.cancelled();
  }
  refresh(): this {
    this.cancelled();
    this.cancelled = this.again();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
  [Symbol.dispose](): void {
    this.cancel();
  }
}

type Callback = (...args: unknown[]) => void;
let installed = false;

/**
 * Puts clocks, timers and randomness of the scopes in the place of the globals. Call it before the code that is to be
 * simulated is loaded.
 */
export function installHost(): void {
  if (installed) return;
  installed = true;
  const target = globalThis as unknown as Record<string, unknown>;
  const originals = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
    clear: globalThis.clearTimeout,
    clearImmediate: globalThis.clearImmediate,
    now: Date.now,
  };
  const later = (scope: Scope, ms: number, fire: () => void): SimulatedTimer =>
    new SimulatedTimer(() => scope.timer(Math.max(ms, 0), fire));
  target['setTimeout'] = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const scope = scopes.getStore();
    return scope
      ? later(scope, ms, () => callback(...args))
      : (originals.setTimeout as (...all: unknown[]) => unknown)(callback, ms, ...args);
  };
  target['setInterval'] = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const scope = scopes.getStore();
    if (!scope) return (originals.setInterval as (...all: unknown[]) => unknown)(callback, ms, ...args);
    const timer: SimulatedTimer = later(scope, Math.max(ms, 1), () => {
      timer.refresh();
      callback(...args);
    });
    return timer;
  };
  target['setImmediate'] = (callback: Callback, ...args: unknown[]) => {
    const scope = scopes.getStore();
    return scope
      ? later(scope, 0, () => callback(...args))
      : (originals.setImmediate as (...all: unknown[]) => unknown)(callback, ...args);
  };
  const clear = (original: (timer: never) => void) => (timer: unknown) => {
    if (timer instanceof SimulatedTimer) timer.cancel();
    else original(timer as never);
  };
  target['clearTimeout'] = target['clearInterval'] = clear(originals.clear);
  target['clearImmediate'] = clear(originals.clearImmediate);
  Date.now = () => scopes.getStore()?.wall() ?? originals.now.call(Date);
  const clock = globalThis.performance;
  const now = clock.now.bind(clock);
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    writable: true,
    value: Object.assign(Object.create(clock) as object, { now: () => scopes.getStore()?.monotonic() ?? now() }),
  });
  installRandomness();
}

/** Code that names `randomBytes` and `randomUUID` of `node:crypto` gets those of its scope. */
function installRandomness(): void {
  const require = createRequire(import.meta.url);
  const crypto = require('node:crypto') as Record<string, unknown>;
  const original = {
    randomBytes: crypto['randomBytes'] as (size: number, callback?: unknown) => Buffer,
    randomUUID: crypto['randomUUID'] as (options?: object) => string,
  };
  crypto['randomBytes'] = (size: number, callback?: unknown) => {
    const scope = scopes.getStore();
    return scope && callback === undefined ? scope.bytes(size) : original.randomBytes(size, callback);
  };
  crypto['randomUUID'] = (options?: object) => {
    const scope = scopes.getStore();
    if (!scope) return original.randomUUID(options);
    const hex = scope.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const fill = crypto['randomFillSync'] as <T extends NodeJS.ArrayBufferView>(target: T) => T;
  crypto['randomFillSync'] = <T extends NodeJS.ArrayBufferView>(target: T): T => {
    const scope = scopes.getStore();
    if (!scope) return fill(target);
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(scope.bytes(target.byteLength));
    return target;
  };
  (require('node:module') as { syncBuiltinESMExports?: () => void }).syncBuiltinESMExports?.();
}
