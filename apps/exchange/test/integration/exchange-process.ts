import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, testTimeoutMs } from '@bourse/testing';
import { stopLeftover } from '../../src/postgres.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The longest start of an exchange on an idle machine: its first one, which migrates and seeds. */
const START_MS_MAX = 48_000;

/** The embedded exchange as a process of its own, with a database and a port of its own: for tests that kill it. */
export class ExchangeProcess {
  private child: ChildProcess | null = null;
  private output = '';
  private constructor(
    readonly dataDir: string,
    readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async create(name: string, env: Readonly<Record<string, string>> = {}): Promise<ExchangeProcess> {
    const dataDir = join(root, '.cache', 'test', `${name}-${process.pid}`);
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true });
    return new ExchangeProcess(dataDir, await freePort(), env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it and waits until it reports ready. Returns how long that took, in ms. */
  async start(withinMs = testTimeoutMs(START_MS_MAX)): Promise<number> {
    const begun = Date.now();
    this.output = '';
    const child = spawn(process.execPath, [join(root, 'dist/exchange.js')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        NODE_ENV: 'test',
        BOURSE_DEV: '1',
        DATA_DIR: this.dataDir,
        PORT: String(this.port),
        ...this.env,
      },
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not ready within ${withinMs} ms:\n${this.output.slice(-4_000)}`)),
        withinMs,
      );
      const read = (chunk: Buffer): void => {
        this.output += chunk.toString();
        if (!/^BOURSE READY /m.test(this.output)) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code ?? signal} before it was ready:\n${this.output.slice(-4_000)}`));
      });
    });
    return Date.now() - begun;
  }

  /** SIGKILL: nothing is flushed, nothing is said; its database server lives on as an orphan. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }
  /** SIGTERM: the orderly end. Returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Ends it, the database server of a killed one too, and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    await stopLeftover(this.dataDir);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => {
      child.once('exit', (code) => resolve(code));
    });
    child.kill(signal);
    return ended;
  }
}
