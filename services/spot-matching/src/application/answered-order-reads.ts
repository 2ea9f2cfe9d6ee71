import { delay } from '@bourse/messaging';
import { Unavailable } from '@bourse/platform';
import { COMMIT_WAIT_MS, type EngineProgress } from './engine-progress.js';
import type { EngineReports } from './engine-reports.js';
import { newerOf } from './find-order.js';
import { type AcceptedOrders, OrderReads } from './ports.js';

/** How often a list queries orders that were answered as accepted. */
const ACCEPTED_POLL_MS = 25;
/** An order without a row for longer has an alarm: lists show the others, and their owner can cancel them. */
const AWAITED_MS = 60_000;

type Reads<K extends keyof OrderReads> = ReturnType<OrderReads[K]>;

/**
 * Reads of rows that show everything that the same person was answered before, by this process or another one: lists
 * wait for the engine's commit, and an order that it has not stored yet is shown as it was accepted [SPOT-121].
 */
export class AnsweredOrderReads extends OrderReads {
  constructor(
    private readonly rows: OrderReads,
    private readonly progress: EngineProgress,
    private readonly reports: EngineReports,
    private readonly accepted: AcceptedOrders,
  ) {
    super();
  }

  async byId(...of: Parameters<OrderReads['byId']>): Reads<'byId'> {
    await this.progress.waitForCommit(of[0]);
    const [userId, orderId] = of;
    // The row may come between the two reads.
    return (
      (await this.rows.byId(...of)) ??
      (await this.accepted.of(userId)).find(({ id }) => id === orderId) ??
      this.rows.byId(...of)
    );
  }
  async ofAnybody(...of: Parameters<OrderReads['ofAnybody']>): Reads<'ofAnybody'> {
    await this.progress.waitForCommit();
    return this.rows.ofAnybody(...of);
  }
  async byClientId(...of: Parameters<OrderReads['byClientId']>): Reads<'byClientId'> {
    await this.progress.waitForCommit(of[0]);
    const [userId, name] = of;
    const accepted = (await this.accepted.of(userId)).find(
      ({ clientOrderId }) => clientOrderId !== '' && clientOrderId === name,
    );
    return newerOf(await this.rows.byClientId(...of), accepted ?? null);
  }
  async list(...of: Parameters<OrderReads['list']>): Reads<'list'> {
    await this.progress.waitForCommit(of[0]);
    await this.waitForAccepted(of[0]);
    return this.rows.list(...of);
  }
  async open(...of: Parameters<OrderReads['open']>): Reads<'open'> {
    await this.progress.waitForCommit();
    return this.rows.open(...of);
  }
  async fills(...of: Parameters<OrderReads['fills']>): Reads<'fills'> {
    await this.progress.waitForCommit(of[0]);
    return this.rows.fills(...of);
  }
  async *allOrders(...of: Parameters<OrderReads['allOrders']>): Reads<'allOrders'> {
    await this.progress.waitForCommit(of[0]);
    await this.waitForAccepted(of[0]);
    yield* this.rows.allOrders(...of);
  }
  async *allFills(...of: Parameters<OrderReads['allFills']>): Reads<'allFills'> {
    await this.progress.waitForCommit(of[0]);
    yield* this.rows.allFills(...of);
  }

  /** Resolves when the rows show the person's orders that were accepted before their engine had run them. */
  private async waitForAccepted(userId: number): Promise<void> {
    const elsewhere = (await this.accepted.of(userId, AWAITED_MS)).map(({ id }) => id);
    const accepted = new Set([...this.reports.acceptedOf(userId), ...elsewhere]);
    for (let waitedMs = 0; accepted.size > 0; waitedMs += ACCEPTED_POLL_MS) {
      // The engine of an order may run in another process, which reports no commits here.
      for (const id of accepted)
        if (await this.rows.byId(userId, id)) {
          this.reports.committed(id);
          accepted.delete(id);
        }
      const [missing] = accepted;
      if (missing === undefined) return;
      if (waitedMs >= COMMIT_WAIT_MS)
        throw new Unavailable(`the engine has not committed order ${missing} within ${COMMIT_WAIT_MS} ms`);
      await delay(ACCEPTED_POLL_MS);
    }
  }
}
