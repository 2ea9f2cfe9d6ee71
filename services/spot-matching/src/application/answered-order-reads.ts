import type { EngineProgress } from './engine-progress.js';
import { OrderReads } from './ports.js';

type Reads<K extends keyof OrderReads> = ReturnType<OrderReads[K]>;

/**
 * Reads of rows that show everything that the same person was answered before: they wait for the engine's commit
 * [SPOT-121].
 */
export class AnsweredOrderReads extends OrderReads {
  constructor(
    private readonly rows: OrderReads,
    private readonly progress: EngineProgress,
  ) {
    super();
  }

  async byId(...of: Parameters<OrderReads['byId']>): Reads<'byId'> {
    await this.progress.waitForCommit(of[0]);
    return this.rows.byId(...of);
  }
  async ofAnybody(...of: Parameters<OrderReads['ofAnybody']>): Reads<'ofAnybody'> {
    await this.progress.waitForCommit();
    return this.rows.ofAnybody(...of);
  }
  async byClientId(...of: Parameters<OrderReads['byClientId']>): Reads<'byClientId'> {
    await this.progress.waitForCommit(of[0]);
    return this.rows.byClientId(...of);
  }
  async list(...of: Parameters<OrderReads['list']>): Reads<'list'> {
    await this.progress.waitForCommit(of[0]);
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
}
