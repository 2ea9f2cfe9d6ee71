// The exchange under test: one process, or one per service, on a data folder of its own that is removed afterwards.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneEnv, node24, nodeFlags, programFile, root } from '../../tools/lib/clone.mjs';
import { freePorts, startProcess, waitFor } from '../../tools/lib/processes.mjs';
import { cpuSeconds, memoryMb } from './proc.mjs';

const READY_MS_MAX = 180_000;

export class Stand {
  #distributed;
  #env;
  #port;
  #handle;

  constructor({ distributed, maker }) {
    this.#distributed = distributed;
    this.folder = mkdtempSync(join(tmpdir(), 'bourse-load-'));
    chmodSync(this.folder, 0o755); // PostgreSQL runs as another user when we are root
    this.log = join(this.folder, 'exchange.log');
    this.#env = {
      BOURSE_DEV: '1',
      DATA_DIR: this.folder,
      MAKER: maker ? 'on' : 'off',
      DEMO_PACE: 'calm',
      RATE_SCALE: '100000',
      LOG_LEVEL: 'warn',
    };
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }
  /** Folder of its secrets and its database. */
  get dataDir() {
    return this.#distributed ? join(this.folder, 'distributed') : this.folder;
  }

  /** Starts it and waits until it says that it is ready. Returns how long that took, in ms. */
  async start() {
    this.#port ??= (await freePorts(1))[0];
    const begun = Date.now();
    const said = this.#said().length;
    const main = this.#distributed
      ? [join(root, 'tools', 'start-distributed.mjs')]
      : [...nodeFlags, programFile('exchange')];
    this.#handle = startProcess(node24, main, {
      name: 'exchange',
      cwd: root,
      log: this.log,
      env: cloneEnv({ ...this.#env, PORT: String(this.#port) }),
    });
    const ready = await waitFor(() => /^BOURSE READY (.*)$/m.exec(this.#said().slice(said)), {
      timeoutMs: READY_MS_MAX,
      what: 'the exchange to be ready',
      handle: this.#handle,
    });
    this.facts = JSON.parse(ready[1]);
    return Date.now() - begun;
  }

  #said() {
    try {
      return readFileSync(this.log, 'utf8');
    } catch (error) {
      if (error.code === 'ENOENT') return '';
      throw error;
    }
  }

  /** The end of its log, to find the cause of a failure. */
  said() {
    return this.#said().slice(-4000);
  }

  /** Process ids by part: the services, `postgres`, and in the distributed run `kafka` and `redis`. */
  processes() {
    const postgres = Number(readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (!this.#distributed) return { exchange: this.#handle.pid, postgres };
    const { children } = JSON.parse(readFileSync(this.facts.processes, 'utf8'));
    return {
      ...Object.fromEntries(
        Object.entries(children)
          .filter(([, one]) => one)
          .map(([name, { pid }]) => [name, pid]),
      ),
      postgres,
    };
  }

  /** CPU seconds so far, by part. The database may be a child of the exchange; it is counted once. */
  cpu() {
    return this.#byPart(cpuSeconds);
  }
  /** Memory in MB, by part. */
  memory() {
    return this.#byPart(memoryMb);
  }

  #byPart(measure) {
    const parts = Object.fromEntries(Object.entries(this.processes()).map(([name, pid]) => [name, measure(pid)]));
    if (parts.exchange !== undefined && this.#isBelow()) parts.exchange -= parts.postgres;
    return parts;
  }
  #isBelow() {
    return (
      readFileSync(`/proc/${this.processes().postgres}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] ===
      String(this.#handle.pid)
    );
  }

  /** SIGKILL to the exchange itself: nothing is flushed, nothing is said. Of the embedded run only. */
  async kill() {
    process.kill(this.#handle.pid, 'SIGKILL');
    await this.#handle.exited;
  }

  async end() {
    await this.#handle?.stop(60_000);
    if (!process.env.BOURSE_KEEP) rmSync(this.folder, { recursive: true, force: true });
  }
}
