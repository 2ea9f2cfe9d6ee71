import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Config } from '@bourse/platform';

/** The bundled gateway, beside the exchange. */
const PROGRAM = fileURLToPath(new URL('../../../dist/fix.js', import.meta.url));
/** Between an end of the gateway and its next start. Ms. */
const PAUSE_MS = 1_000;
/** How long it may take to log its sessions out. Ms. */
const END_MS = 5_000;

/**
 * The FIX gateway of an exchange in one process (`FIX_PORT`): a process of its own, which has no secret of the exchange
 * and reaches it by its public address alone. It is started again when it ends.
 */
export class FixProcess {
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    private readonly config: Pick<Config, 'fixPort' | 'fixHost' | 'fixCompId' | 'dataDir'>,
    private readonly exchangeUrl: string,
  ) {}

  start(): void {
    const { fixPort, fixHost, fixCompId, dataDir } = this.config;
    const child = fork(PROGRAM, [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        FIX_PORT: String(fixPort),
        FIX_HOST: fixHost,
        FIX_COMP_ID: fixCompId,
        FIX_EXCHANGE_URL: this.exchangeUrl,
        DATA_DIR: dataDir,
      },
    });
    this.child = child;
    child.on('error', () => undefined);
    child.on('exit', () => {
      if (!this.isEnding) this.timer = setTimeout(() => this.start(), PAUSE_MS);
    });
  }

  /** Ends it before the exchange ends, so that its sessions are logged out and not cut. */
  async stop(): Promise<void> {
    const { child } = this;
    this.isEnding = true;
    clearTimeout(this.timer);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(timer);
  }
}
