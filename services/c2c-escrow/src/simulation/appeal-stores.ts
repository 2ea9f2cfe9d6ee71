// Stores of the simulator: the table of appeals with its checks, on a server in memory.
import type { Tx } from '@bourse/persistence';
import type { MemoryDatabase, MemoryTx } from '@bourse/persistence/memory';
import { AppealStore, type AppealEvent, type AppealFilter, type Evidence } from '../appeals/application/ports.js';
import type { Appeal, AppealSide, EvidenceCount } from '../appeals/domain/appeal.js';
import type { Deal } from '../deals/domain/deal.js';
import { DEAL, inTx } from './deal-stores.js';
import type { Rows } from '@bourse/contract';

export const APPEAL = 'escrow.appeal';
/** The index of open and waiting appeals, by deal. */
const GOING = 'escrow.appeal_going';

const isGoing = ({ state }: Appeal): boolean => state === 'open' || state === 'waiting';

/** The table of `PostgresAppeals` with its checks; evidence and events are not simulated. */
export class SimulatedAppeals extends AppealStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  insert(tx: Tx, appeal: Appeal): Promise<boolean> {
    return inTx(tx, 'insert an appeal', async (at) => {
      await at.lock(GOING, appeal.dealId);
      if (at.get(GOING, appeal.dealId)) return false;
      await at.put(GOING, appeal.dealId, { id: appeal.id });
      await at.lock(APPEAL, appeal.id);
      await at.put(APPEAL, appeal.id, appeal);
      return true;
    });
  }
  lock(tx: Tx, id: string): Promise<Appeal | null> {
    return inTx(tx, 'lock an appeal', async (at) => {
      await at.lock(APPEAL, id);
      return at.get<Appeal>(APPEAL, id) ?? null;
    });
  }
  drop(tx: Tx, id: string): Promise<void> {
    return inTx(tx, 'drop an appeal', async (at) => {
      await at.lock(APPEAL, id);
      const appeal = at.get<Appeal>(APPEAL, id);
      if (appeal?.state !== 'waiting') return;
      await at.put(APPEAL, id, null);
      await at.put(GOING, appeal.dealId, null);
    });
  }
  lockOfDeal(tx: Tx, dealId: string): Promise<Appeal | null> {
    return inTx(tx, 'lock an appeal of a deal', async (at) => {
      await at.lock(GOING, dealId);
      const going = at.get<{ id: string }>(GOING, dealId);
      if (!going) return null;
      await at.lock(APPEAL, going.id);
      return at.get<Appeal>(APPEAL, going.id) ?? null;
    });
  }
  save(tx: Tx, appeal: Appeal): Promise<void> {
    if ((appeal.endedAt === null) !== isGoing(appeal)) throw new Error(`check appeal: the end of ${appeal.id}`);
    return inTx(tx, 'save an appeal', async (at) => {
      await at.lock(APPEAL, appeal.id);
      await at.put(APPEAL, appeal.id, appeal);
      if (isGoing(appeal)) return;
      await at.lock(GOING, appeal.dealId);
      await at.put(GOING, appeal.dealId, null);
    });
  }

  find(id: string): Promise<Appeal | null> {
    return this.database.statement('find an appeal', (at) => {
      const appeal = at.get<Appeal>(APPEAL, id);
      return Promise.resolve(appeal && appeal.state !== 'waiting' ? appeal : null);
    });
  }
  listOfDeal(dealId: string): Promise<readonly Appeal[]> {
    return this.rows('appeals of a deal', (appeal) => appeal.dealId === dealId && appeal.state !== 'waiting');
  }
  countOfSide(tx: Tx, dealId: string, side: AppealSide): Promise<number> {
    return (tx as MemoryTx).statement('count appeals of a side', (at) =>
      Promise.resolve(
        at.rows<Appeal>(APPEAL).filter(([, appeal]) => appeal.dealId === dealId && appeal.openedBy === side).length,
      ),
    );
  }
  async list({ states, userId }: AppealFilter): Promise<Rows<Appeal>> {
    const found = await this.rows('list appeals', ({ state }) => states?.includes(state) ?? state !== 'waiting');
    const deals = userId === undefined ? undefined : await this.dealsOf(userId);
    const rows = found.filter(({ dealId }) => deals?.has(dealId) ?? true);
    return { rows, total: rows.length };
  }
  async countWork(now: number): Promise<{ readonly open: number; readonly overdue: number }> {
    const open = await this.rows('count appeals', ({ state }) => state === 'open');
    return { open: open.length, overdue: open.filter(({ due }) => due <= now).length };
  }
  private dealsOf(userId: number): Promise<ReadonlySet<string>> {
    return this.database.statement('deals of a person', (at) => {
      const own = at.rows<Deal>(DEAL).filter(([, deal]) => deal.ownerId === userId || deal.takerId === userId);
      return Promise.resolve(new Set(own.map(([id]) => id)));
    });
  }
  private rows(what: string, isWanted: (appeal: Appeal) => boolean): Promise<readonly Appeal[]> {
    return this.database.statement(what, (at) =>
      Promise.resolve(
        at
          .rows<Appeal>(APPEAL)
          .map(([, appeal]) => appeal)
          .filter(isWanted)
          .sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1)),
      ),
    );
  }

  addEvidence(): Promise<void> {
    return Promise.resolve();
  }
  addEvent(): Promise<void> {
    return Promise.resolve();
  }
  countEvidence(_tx: Tx, _appealId: string, _side: AppealSide): Promise<EvidenceCount> {
    return Promise.resolve({ pieces: 0, pictures: 0 });
  }
  listEvidence(): Promise<ReadonlyMap<string, readonly Evidence[]>> {
    return Promise.resolve(new Map());
  }
  listEvents(): Promise<ReadonlyMap<string, readonly AppealEvent[]>> {
    return Promise.resolve(new Map());
  }
}
