import { Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS as HOUSE_TRADERS } from '@bourse/contract';
import {
  available,
  ledgerPartition,
  mayGoNegative,
  OperatorActionV1,
  TOPICS,
  userNotices,
  type LedgerReply,
  type Leg,
  type Product,
} from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Config } from '@bourse/platform';
import { Currencies } from '../currencies.js';
import { LeverHandOver } from '../lever-hand-over.js';
import { UseCaseDatabase } from '../use-case-database.js';
import { planWithdrawal, planDistribution } from '../house/house-plan.js';
import { HouseRebalancer } from '../house/house-rebalancer.js';
import { AdjustmentStore, type Actor, type Adjustment, type Part } from './ports.js';

const CAPITAL = 'h.capital';
/** Time limit of the command to lever-risk: the ledger refuses it later. */
const DECIDED_MS = 4_000;

/** `unknown`: it is approved, and is booked or returned to `waiting` as soon as the ledger has answered. */
export type Settled =
  | { readonly state: 'approved' }
  | { readonly state: 'refused'; readonly key: string }
  | { readonly state: 'unknown' };

/**
 * Books an adjustment that a second operator has approved. Each command has its own id, and the ledger stores its
 * answer: a repeat, also after a crash, gets the stored answer and books nothing twice. A refusal (the balance no
 * longer covers it) returns the adjustment to `waiting`.
 */
@Injectable()
export class PostAdjustment {
  constructor(
    private readonly store: AdjustmentStore,
    private readonly database: UseCaseDatabase,
    private readonly ledger: LedgerClient,
    private readonly currencies: Currencies,
    private readonly rebalancer: HouseRebalancer,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly lever: LeverHandOver,
  ) {}

  /** The share of each partition. Null: the house has less than the amount. */
  async plan(
    row: Pick<Adjustment, 'userId' | 'account' | 'currencyId' | 'amount'>,
    amount = row.amount,
  ): Promise<Pick<Part, 'partition' | 'amount'>[] | null> {
    const scale = this.scaleOf(row.currencyId);
    if (row.userId !== null) {
      const partition = ledgerPartition(row.userId, this.config.ledgerPartitions);
      const units = toUnits(amount, scale);
      // Capital is spread over all partitions, a person belongs to one. If the top-up is late, the ledger refuses.
      if (units > 0n) await this.rebalancer.topUp(CAPITAL, row.currencyId, partition, units);
      return [{ partition, amount }];
    }
    // Money from outside has no limit here and is spread evenly over the partitions.
    const plan = mayGoNegative(row.account, row.currencyId)
      ? planDistribution(this.config.ledgerPartitions, toUnits(amount, scale))
      : planWithdrawal(
          (await this.store.balances(row.account, row.currencyId)).map(({ partition, available: has }) => ({
            partition,
            units: toUnits(has, scale),
          })),
          toUnits(amount, scale),
        );
    return plan && plan.map(({ partition, units }) => ({ partition, amount: formatUnits(units, scale) }));
  }

  /** Sends every command that is not known to be booked, and concludes when all of them are. */
  async settle(id: number): Promise<Settled> {
    const row = await this.store.find(id);
    if (!row || row.state !== 'posting')
      return row?.state === 'approved' ? { state: 'approved' } : { state: 'unknown' };
    let refusal: string | null = null;
    for (const part of await this.store.parts(id)) {
      if (part.state !== 'sent') continue;
      const reply = await this.send(row, part);
      if (reply === null) return { state: 'unknown' };
      await this.store.markPart(id, part.part, reply.ok ? 'done' : 'refused');
      if (!reply.ok) refusal = reply.answer.key ?? 'common.defect';
    }
    return this.conclude(id, refusal);
  }

  /** Notifies the person. Movements of the house concern nobody, and the house's traders read no notices. */
  private notifyUser(tx: Tx, { id, userId, currencyId, amount }: Adjustment, scale: number): void {
    if (userId === null || HOUSE_TRADERS.has(userId)) return;
    const units = toUnits(amount, scale);
    const shown = `${units > 0n ? '+' : ''}${formatTrimmed(units, scale)} ${this.currencies.nameOf(currencyId)}`;
    const notice = {
      userId,
      id: `adjustment:${id}`,
      params: { amount: shown },
      link: '/finanrec',
      at: this.clock.now(),
    };
    tx.emit(TOPICS.userNotices, 0, userNotices([{ ...notice, kind: 'balanceAdjusted' }]));
  }

  private conclude(id: number, refusal: string | null): Promise<Settled> {
    return this.database.transaction(async (tx): Promise<Settled> => {
      const row = await this.store.lock(tx, id);
      if (!row || row.state !== 'posting')
        return row?.state === 'approved' ? { state: 'approved' } : { state: 'unknown' };
      const parts = await this.store.parts(id, tx);
      if (parts.some(({ state }) => state === 'sent')) return { state: 'unknown' };
      const scale = this.scaleOf(row.currencyId);
      const done = parts
        .filter(({ state }) => state === 'done')
        .reduce((sum, { amount }) => sum + toUnits(amount, scale), 0n);
      const missing = toUnits(row.amount, scale) - done;
      if (missing === 0n) {
        const by: Actor = { operatorId: row.decidedBy ?? 0, operator: row.decidedByName, reason: row.decisionReason };
        await this.store.decide(tx, id, 'approved', by, this.clock.now());
        tx.emit(TOPICS.operatorActions, 0, OperatorActionV1.encode(actionOf(row, 'approve', by, this.clock.now())));
        this.notifyUser(tx, row, scale);
        return { state: 'approved' };
      }
      if (done === 0n) {
        await this.store.decide(tx, id, 'waiting', null, this.clock.now());
        return { state: 'refused', key: refusal ?? 'balance.insufficient' };
      }
      // The partition has less than at the time of the plan; the others pay the difference as soon as they have it.
      const again = await this.plan(row, formatUnits(missing, scale));
      if (again) await this.store.addParts(tx, id, again);
      return { state: 'unknown' };
    });
  }

  private send(row: Adjustment, { part, partition, amount }: Part): Promise<LedgerReply | null> {
    const { legs, journal, causeType } = this.booking(row, part, amount);
    if (row.userId !== null && row.account === 'lever' && amount.startsWith('-')) {
      const { userId, currencyId: currency } = row;
      const taken = { userId, currency, amount: amount.replace('-', ''), journal, cause: String(row.id) };
      return this.lever.correct(taken, `adjustment:${row.id}:${part}`, this.clock.real() + DECIDED_MS);
    }
    return this.ledger.settle(
      {
        issuer: 'operator',
        userId: row.userId ?? row.createdBy,
        onBehalfOf: null,
        partition,
        journals: [{ id: journal, causeType, causeId: String(row.id), legs }],
        answer: { type: 'ok' },
      },
      `adjustment:${row.id}:${part}`,
    );
  }

  private booking(row: Adjustment, part: number, amount: string): { legs: Leg[]; journal: string; causeType: string } {
    if (row.userId === null)
      return {
        legs: [{ from: row.account, to: row.toAccount ?? '', currency: row.currencyId, amount }],
        journal: `house_fund:${row.id}:${part}`,
        causeType: 'house_fund',
      };
    const balance = available(row.userId, row.account as Product);
    const taken = amount.startsWith('-');
    return {
      legs: [
        {
          from: taken ? balance : 'h.capital',
          to: taken ? 'h.capital' : balance,
          currency: row.currencyId,
          amount: amount.replace('-', ''),
        },
      ],
      journal: `adjustment:${row.id}`,
      causeType: 'adjustment',
    };
  }

  private scaleOf(currency: number): number {
    const scale = this.currencies.scaleOf(currency);
    if (scale === undefined) throw new Error(`invariant: currency ${currency} has left the catalog`);
    return scale;
  }
}

/** The entry of the audit trail for an operator's action on an adjustment. */
export function actionOf(
  row: Adjustment,
  what: 'create' | 'approve' | 'reject',
  by: Actor,
  at: number,
): Parameters<typeof OperatorActionV1.encode>[0] {
  const kind = row.userId === null ? 'house.fund' : 'adjustments';
  return {
    id: `wallet-ledger:${kind}.${what}:${row.id}`,
    at,
    ...by,
    action: `${kind}.${what}`,
    target: row.userId === null ? `${row.account} → ${row.toAccount ?? ''}` : `user ${row.userId} ${row.account}`,
    ...(row.userId === null ? {} : { subjects: [row.userId] }),
    before: what === 'create' ? '' : `${row.id}: waiting`,
    after: `${row.id}: ${row.amount} of currency ${row.currencyId}, ${row.reasonCode}: ${row.note}`.slice(0, 2_000),
  };
}
