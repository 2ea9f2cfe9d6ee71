import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EXCLUSIVE_LOCK } from '../outbox/stream-comparison.js';

/** The database belongs to another living process. */
export class ExclusiveLockTaken extends Error {}

export interface ExclusiveLockOptions {
  readonly url: string;
  /** The connection that holds the lock has failed. */
  readonly onError: (error: unknown) => void;
  /** Another process has taken the lock: this one must end. */
  readonly onLost: () => void;
}

/** The lock that keeps a second embedded process off a database. */
export class ExclusiveLock {
  private holder: pg.Client | undefined;
  private taking: Promise<void> | undefined;
  private closing = false;

  constructor(private readonly options: ExclusiveLockOptions) {}

  /** Takes the lock, once. A process that was just killed may hold it for moments: waits 5 s. */
  hold(): Promise<void> {
    this.taking ??= this.take(Date.now() + 5_000);
    return this.taking;
  }

  /** From here on a lost connection is not an error. */
  willClose(): void {
    this.closing = true;
  }

  /** Frees the lock. */
  async close(): Promise<void> {
    await this.holder?.end();
  }

  private async take(deadline: number): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'bourse exclusive lock',
      keepAlive: true,
    });
    client.on('error', (error) => {
      if (this.holder !== client) return; // not taken yet: the query that waits for it fails
      this.holder = undefined;
      if (this.closing) return;
      this.options.onError(error);
      void this.takeAgain();
    });
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ ok: boolean }>('select pg_try_advisory_lock($1) as ok', [EXCLUSIVE_LOCK]);
      if (rows[0]?.ok) break;
      if (Date.now() > deadline) {
        await client.end();
        throw new ExclusiveLockTaken(
          'Another exchange process uses this database. Stop it first, or set DATABASE_URL to another database.',
        );
      }
      await sleep(200);
    }
    this.holder = client;
  }

  /** The lock ends with its connection: after a restart of PostgreSQL it is taken again, or this process must end. */
  private async takeAgain(): Promise<void> {
    for (let waitMs = 50; !this.closing; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await this.take(Date.now());
        return;
      } catch (error) {
        if (error instanceof ExclusiveLockTaken) {
          this.options.onLost();
          return;
        }
        await sleep(waitMs);
      }
    }
  }
}
