import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  openSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kafkaTools, postgresTools, processes, redisTools, type RunningServer } from './tools.js';

/** A folder that is a small file system of its own where that is allowed, so that it can be filled up. */
export class Disk {
  readonly own: boolean;
  constructor(
    readonly dir: string,
    megabytes: number,
  ) {
    mkdirSync(dir, { recursive: true });
    this.own =
      process.platform === 'linux' &&
      process.getuid?.() === 0 &&
      succeeds('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'bourse-faults', dir]);
  }

  private get balloon(): string {
    return join(this.dir, 'balloon');
  }

  /** Takes all room but `leaveKb`. */
  fill(leaveKb = 0): void {
    const { bavail, bsize } = statfsSync(this.dir);
    const block = Buffer.alloc(1024 * 1024);
    const file = openSync(this.balloon, 'w');
    try {
      for (let left = bavail * bsize - leaveKb * 1024; left > 0;)
        left -= writeSync(file, block, 0, Math.min(left, block.length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }
  free(): void {
    rmSync(this.balloon, { force: true });
  }

  close(): void {
    if (this.own) execFileSync('umount', ['-l', this.dir]);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Ends processes and mounts that killed runs have left under `place`, in folders named `<mode>-<pid>`. */
export async function clearLeftovers(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    const owner = /^(?:embedded|distributed)-(\d+)$/.exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    const dir = join(place, name);
    await postgresTools.stopLeftover(join(dir, 'postgres'));
    for (const line of look('/proc/mounts').split('\n')) {
      const mounted = line.split(' ')[1] ?? '';
      if (mounted.startsWith(`${dir}/`)) execFileSync('umount', ['-l', mounted]);
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

export function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, [...args], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as { status?: number }).status !== undefined)
      return false;
    throw error;
  }
}

/** The database server of a run: killed, stopped and set back by the tests, and started again by this supervisor. */
export class DatabaseServer {
  private running: { url: string; stop(): Promise<void> } | undefined;
  private wanted = false;
  private starting: Promise<void> | undefined;
  port = 0;
  restarts = 0;

  constructor(readonly dataDir: string) {}

  get url(): string {
    return this.running?.url ?? '';
  }
  get clusterDir(): string {
    return join(this.dataDir, 'postgres');
  }
  get pid(): number {
    return Number(readFileSync(join(this.clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  start(): Promise<void> {
    this.wanted = true;
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** After a kill the old server's processes may live on for moments; nothing may run beside them. */
  private async launch(): Promise<void> {
    for (const deadline = Date.now() + 60_000; this.wanted;) {
      try {
        this.running = await postgresTools.startPostgres({
          dataDir: this.dataDir,
          ...(this.port ? { port: this.port } : {}),
          onUnexpectedExit: () => {
            if (!this.wanted) return;
            this.restarts += 1;
            void this.start();
          },
        });
        this.port = Number(new URL(this.running.url).port);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  async stop(): Promise<void> {
    this.wanted = false;
    await this.starting;
    await this.running?.stop();
    this.running = undefined;
  }

  /** Starts it unless it runs, or waits for the start that is under way. */
  async heal(): Promise<void> {
    if (this.starting) await this.starting;
    else if (!this.running) await this.start();
  }

  /** Pids of the server's own children: backends and background workers. */
  children(): { pid: number; title: string }[] {
    const { pid } = this;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({
        pid: Number(name),
        stat: look(`/proc/${name}/stat`),
        title: look(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
      }))
      .filter(({ stat }) => Number(stat.replace(/^.*\) /s, '').split(' ')[1]) === pid);
  }
}

const look = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
};

/** Kafka or Redis at a fixed port, restarted only by a test. */
export abstract class RestartableServer {
  protected running: RunningServer | undefined;
  port = 0;
  get pid(): number {
    return this.running?.handle?.pid ?? 0;
  }
  get alive(): boolean {
    return this.running?.handle !== undefined && !this.running.handle.over;
  }
  abstract start(): Promise<void>;
  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.running?.handle?.exited;
  }
  async stop(): Promise<void> {
    await this.running?.stop();
  }
}

export class RedisServer extends RestartableServer {
  constructor(private readonly logDir: string) {
    super();
  }
  async start(): Promise<void> {
    if (this.port === 0) this.port = (await processes.freePorts(1))[0] ?? 0;
    this.running = await redisTools.startRedis({ given: '', logDir: this.logDir, ports: [this.port] });
  }
}

export class KafkaServer extends RestartableServer {
  private ports: number[] = [];
  constructor(
    readonly dataDir: string,
    private readonly logDir: string,
    private readonly advertised: () => number,
  ) {
    super();
  }
  /** Chosen once, so that a restart uses the same port. */
  async choosePorts(): Promise<void> {
    if (this.ports.length === 0) this.ports = await processes.freePorts(2);
    this.port = this.ports[0] ?? 0;
  }
  async start(): Promise<void> {
    await this.choosePorts();
    this.running = await kafkaTools.startKafka({
      given: '',
      dataDir: this.dataDir,
      logDir: this.logDir,
      ports: this.ports,
      advertised: this.advertised(),
    });
  }
  /** Its log is gone, as after the loss of all its disks. */
  empty(): void {
    rmSync(join(this.dataDir, 'log'), { recursive: true, force: true });
  }
}

export function writeWallClock(file: string, offsetMs: number): void {
  writeFileSync(file, String(offsetMs));
}
