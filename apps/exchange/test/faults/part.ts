import { setTimeout as sleep } from 'node:timers/promises';
import { processes, type Handle } from './tools.js';

export interface PartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly log: string;
  /** Address of its readiness check. */
  readonly readyUrl: string;
  /** Started again, after this pause, whenever it ends by itself; as a supervisor of services does. */
  readonly restartMs?: number;
}

/** One process of the exchange: starts, kills, stops and monitors it. */
export class Part {
  private handle: Handle | undefined;
  private wanted = false;
  /** How often it ended by itself or by a fault, and was started again. */
  restarts = 0;
  /** Arguments of the next starts, for faults that starve it. */
  nodeArgs: readonly string[] = [];
  /** The program of the next starts, if it is another version than that of the options. */
  program: string | null = null;
  /** Settings of the next starts, beside those of its options. */
  settings: Readonly<Record<string, string>> = {};

  constructor(readonly options: PartOptions) {}

  get name(): string {
    return this.options.name;
  }
  get pid(): number {
    return this.handle?.pid ?? 0;
  }
  get alive(): boolean {
    return this.handle !== undefined && !this.handle.over;
  }

  start(): void {
    this.wanted = true;
    const { name, command, args, cwd, log } = this.options;
    const env = { ...this.options.env, ...this.settings };
    const own = this.program === null ? args : [...args.slice(0, -1), this.program];
    const handle = processes.startProcess(command, [...this.nodeArgs, ...own], { name, cwd, env, log });
    this.handle = handle;
    void handle.exited.then(async () => {
      if (!this.wanted || this.options.restartMs === undefined) return;
      await sleep(this.options.restartMs);
      if (!this.wanted || this.handle !== handle) return;
      this.restarts += 1;
      this.start();
    });
  }

  isReady(): Promise<boolean> {
    return processes.answers(this.options.readyUrl);
  }

  /** Waits until it is ready; how long that took, in ms. */
  async ready(withinMs: number): Promise<number> {
    const from = Date.now();
    while (!(await this.isReady())) {
      if (Date.now() - from > withinMs)
        throw new Error(`${this.name} is not ready after ${withinMs} ms; its log: ${this.options.log}`);
      await sleep(50);
    }
    return Date.now() - from;
  }

  /** A signal to the process itself. False: there was none. */
  signal(signal: NodeJS.Signals): boolean {
    if (!this.alive) return false;
    process.kill(this.pid, signal);
    return true;
  }

  /** SIGKILL; the supervisor starts it again. */
  kill(): boolean {
    return this.signal('SIGKILL');
  }

  /** Ends for good, in order. The exit code. */
  async stop(graceMs = 15_000): Promise<number | null> {
    this.wanted = false;
    const { handle } = this;
    if (!handle || handle.over) return null;
    this.signal('SIGCONT');
    await handle.stop(graceMs);
    return (await handle.exited).code;
  }
}
