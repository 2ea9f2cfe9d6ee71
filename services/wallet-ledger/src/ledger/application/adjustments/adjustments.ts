import { Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS as HOUSE_TRADERS } from '@bourse/contract';
import { OperatorActionV1, TOPICS } from '@bourse/events';
import { Asks, authAsks, samePerson, SecondPerson } from '@bourse/messaging';
import { isTransient, type Tx } from '@bourse/persistence';
import { Clock, Refused, Unavailable } from '@bourse/platform';
import { Currencies, mayHold } from '../currencies.js';
import { UseCaseDatabase } from '../use-case-database.js';
import { actionOf, PostAdjustment, type Settled } from './post-adjustment.js';
import { AdjustmentStore, type Actor, type Adjustment, type NewAdjustment } from './ports.js';

/** Adjustments of balances by operators: one requests, another one approves, and the ledger books (api §2.12). */
@Injectable()
export class Adjustments {
  constructor(
    private readonly store: AdjustmentStore,
    private readonly post: PostAdjustment,
    private readonly database: UseCaseDatabase,
    private readonly currencies: Currencies,
    private readonly asks: Asks,
    private readonly second: SecondPerson,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the id of the adjustment. @throws Refused if the person does not exist, or the coin may not be in that
   * account.
   */
  async create(row: NewAdjustment & { readonly userId: number }, by: Actor): Promise<number> {
    const currency = this.currencies.byId(row.currencyId);
    if (!currency) throw new Refused('common.notFound', {}, { field: 'currency_id' });
    if (!mayHold(currency, row.account as Parameters<typeof mayHold>[1]))
      throw new Refused('transfer.notSupported', {}, { field: 'account' });
    if (!(await this.isKnown(row.userId))) throw new Refused('common.notFound', {}, { field: 'user_id' });
    return this.database.transaction((tx) => this.insert(tx, row, by));
  }

  /**
   * Books an adjustment that another operator has requested. @throws Refused `admin.samePerson`, `admin.outdated` when
   * its author may no longer request one, `admin.decided`, the refusal of the ledger, or `pending` when the ledger has
   * not answered in time.
   */
  async approve(id: number, by: Actor): Promise<void> {
    const row = await this.store.find(id);
    if (!row) throw new Refused('common.notFound', {}, { field: 'id' });
    if (row.state === 'waiting') await this.second.require(by.operatorId, [row.createdBy], 'finance');
    const parts = row.state === 'waiting' ? await this.post.plan(row) : [];
    if (parts === null) throw new Refused('balance.insufficient');
    await this.database.transaction(async (tx) => {
      const locked = await this.waiting(tx, id);
      if (locked.createdBy === by.operatorId) throw samePerson();
      await this.store.decide(tx, id, 'posting', by, this.clock.now());
      await this.store.addParts(tx, id, parts);
    });
    const settled = await this.settled(id);
    if (settled.state === 'refused') throw new Refused(settled.key);
    if (settled.state === 'unknown') throw new Refused('common.processing', {}, { type: 'pending', status: 202 });
  }

  /** From here on it is approved, whatever fails: it is booked later. */
  private async settled(id: number): Promise<Settled> {
    try {
      return await this.post.settle(id);
    } catch (error) {
      if (error instanceof Unavailable || isTransient(error)) return { state: 'unknown' };
      throw error;
    }
  }

  /** The author withdraws the adjustment; any other operator rejects it. */
  async reject(id: number, by: Actor): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await this.waiting(tx, id);
      await this.store.decide(tx, id, 'rejected', by, this.clock.now());
      tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode(actionOf(row, 'reject', by, this.clock.now())));
    });
  }

  /** A movement between house accounts: the first call requests it, the same call of another operator approves it. */
  async fund(row: NewAdjustment, by: Actor): Promise<{ readonly id: number; readonly state: 'waiting' | 'approved' }> {
    const asked = await this.store.sameFund(row);
    if (asked) {
      await this.approve(asked.id, by);
      return { id: asked.id, state: 'approved' };
    }
    return { id: await this.database.transaction((tx) => this.insert(tx, row, by)), state: 'waiting' };
  }

  /** The house's own trading accounts belong to no person and are accepted: they are funded this way (rules §17). */
  private async isKnown(userId: number): Promise<boolean> {
    if (HOUSE_TRADERS.has(userId)) return true;
    const known = await this.asks.ask(authAsks.profile, { userIds: [userId] });
    return known.some(({ id }) => id === userId);
  }

  private async insert(tx: Tx, row: NewAdjustment, by: Actor): Promise<number> {
    const at = this.clock.now();
    const id = await this.store.insert(tx, row, by, at);
    const inserted: Adjustment = {
      ...row,
      id,
      state: 'waiting',
      createdBy: by.operatorId,
      createdByName: by.operator,
      createdAt: at,
      decidedBy: null,
      decidedByName: '',
      decisionReason: '',
    };
    tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode(actionOf(inserted, 'create', by, at)));
    return id;
  }

  private async waiting(tx: Tx, id: number): Promise<Adjustment> {
    const row = await this.store.lock(tx, id);
    if (!row) throw new Refused('common.notFound', {}, { field: 'id' });
    if (row.state !== 'waiting')
      throw new Refused('admin.decided', { state: row.state === 'posting' ? 'approved' : row.state });
    return row;
  }
}
