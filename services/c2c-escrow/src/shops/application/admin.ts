import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { TOPICS, userNotices } from '@bourse/events';
import { Commands, Sagas, type Moves } from '@bourse/ledger-client';
import { Parties, WorkPart } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, timeText, type CallContext, type Caller, type Page } from '@bourse/platform';
import { recordChange } from '@bourse/settings';
import { decideShop, type DecidedShop, type Shop, type ShopDecision, type ShopLevel } from '../domain/shop.js';
import { toShopDecidedNotice } from './notices.js';
import { ShopCatalog } from './catalog.js';
import { createRefundOrder } from './journals.js';
import { ShopStore, type ShopFilter } from './ports.js';
import { ShopViews, type PublicShopView } from './views.js';

/** Timers, by user id, that find the owner of a shop that has opened without the role of a seller. */
const OPENED_TIMER = 'shop.opened';
export const OPENED_REASON = 'a shop was opened meanwhile';
/** Timers, by user id, that revoke the role of a seller from people without an open shop; see `ShopClosing`. */
export const ROLE_TIMER = 'shop.role';
/** How long after a refusal the role is checked: longer than a call that opens the same shop takes to be refused. */
const REFUSED_CHECK_MS = 30_000;

/** A shop for support. */
export type ShopRow = PublicShopView & {
  readonly user_id: number;
  readonly account_number: string;
  readonly deposit: string;
  readonly create_time: string;
};
export interface ShopVerdict {
  readonly id: number;
  readonly pass: boolean;
  readonly level?: ShopLevel | undefined;
  readonly reason: string;
}

/** Commands of support on shops (api §2.12). */
@Injectable()
export class ShopAdmin extends WorkPart {
  private readonly refunds: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: ShopStore,
    private readonly views: ShopViews,
    private readonly catalog: ShopCatalog,
    private readonly parties: Parties,
    private readonly timers: Timers,
    private readonly clock: Clock,
  ) {
    super();
    this.refunds = sagas.defineMove({ name: 'shop.refund' });
    this.timers.handle(OPENED_TIMER, ({ id }) => this.keepSeller(Number(id)));
  }

  /** Open work of operators: shops in review. */
  async work(): Promise<Readonly<Record<'shops', number>>> {
    const { total } = await this.store.list({ state: 'review' }, { size: 1, offset: 0, page: 1 });
    return { shops: total };
  }

  /** Newest first. */
  async list(filter: ShopFilter, page: Page): Promise<DataPage<ShopRow>> {
    const { rows, total } = await this.store.list(filter, page);
    const [views, facts] = await Promise.all([
      this.views.toPublicViews(rows),
      this.parties.facts(rows.map(({ userId }) => userId)),
    ]);
    const shown = rows.map((shop, at) => ({
      ...views[at]!,
      user_id: shop.userId,
      account_number: facts.get(shop.userId)?.accountNumber ?? '',
      deposit: formatUnits(shop.deposit, shop.depositScale),
      create_time: timeText(shop.createdAt),
    }));
    return toDataPage({ rows: shown, total }, page, (row) => row);
  }

  /**
   * Opens a shop, which makes its owner a seller, or refuses it; the deposit that is not needed goes back. @throws
   * Refused `common.notFound`, `admin.decided`, `common.fieldInvalid` for a level above the requested one;
   * `AskUnavailable` without a decision while auth is unavailable
   */
  decide(operator: Caller, fields: ShopVerdict, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: () => {
        const { id, pass, level, reason } = fields;
        return this.check({ id, pass, level, reason });
      },
      decide: async (tx, { verdict, decision }) => {
        const { shop, back } = await this.saveDecision(tx, operator, verdict, decision);
        const answer = new Notice(verdict.pass ? 'shop.opened' : 'shop.refused');
        if (back === 0n) return answer;
        return this.refunds.move({ object: String(shop.id), command: createRefundOrder(shop, back), answer });
      },
    });
  }

  private async check(verdict: ShopVerdict) {
    const found = await this.store.find(verdict.id);
    if (!found) throw new Refused('common.notFound', {}, { field: 'id' });
    const decision = this.toDecision(found, verdict);
    this.requireDecided(found, decision);
    // The role is set before the shop opens, and again after a failure: a seller without a shop can do nothing with it.
    if (verdict.pass) await this.parties.setRole(found.userId, { isSeller: true }, verdict.reason);
    return { verdict, decision };
  }

  private async saveDecision(
    tx: Tx,
    operator: Caller,
    verdict: ShopVerdict,
    decision: ShopDecision,
  ): Promise<DecidedShop> {
    const before = await this.store.lock(tx, verdict.id);
    if (!before) throw new Refused('common.notFound', {}, { field: 'id' });
    const settled = this.requireDecided(before, decision);
    await this.store.save(tx, settled.shop);
    const now = this.clock.now();
    if (verdict.pass) await this.timers.set(tx, OPENED_TIMER, String(before.userId), now);
    // Another operator who opens the shop at this moment has set, or is about to set, the role without its shop.
    else await this.timers.set(tx, ROLE_TIMER, String(before.userId), now + REFUSED_CHECK_MS);
    recordChange(tx, {
      service: 'c2c-escrow',
      action: 'shops.decide',
      target: `shop:${before.id}`,
      subjects: [before.userId],
      before: toAuditState(before),
      after: toAuditState(settled.shop),
      by: { operatorId: operator.userId, operator: operator.accountNumber, reason: verdict.reason },
      at: this.clock.now(),
    });
    const notice = toShopDecidedNotice(settled.shop, verdict.pass, verdict.reason, this.clock.now());
    tx.emit(TOPICS.userNotices, 0, userNotices([notice]));
    return settled;
  }

  /** Gives the role back that the end of another shop has revoked before this one was open. */
  private async keepSeller(userId: number): Promise<void> {
    const facts = await this.parties.facts([userId]);
    if (facts.get(userId)?.isSeller === false) await this.parties.setRole(userId, { isSeller: true }, OPENED_REASON);
  }

  /** Adds the deposit that the level requires now. */
  private toDecision(shop: Shop, { pass, level = shop.level }: ShopVerdict): ShopDecision {
    return pass ? { pass, level, deposit: this.catalog.requiredDeposit(level).units } : { pass };
  }

  private requireDecided(shop: Shop, decision: ShopDecision): DecidedShop {
    const outcome = decideShop(shop, decision, this.clock.now());
    if (outcome === 'decided') throw new Refused('admin.decided', {}, { field: 'id' });
    if (outcome === 'level') throw new Refused('common.fieldInvalid', { field: 'level' }, { field: 'level' });
    return outcome;
  }
}

const toAuditState = ({ state, level, deposit, depositScale }: Shop): object => ({
  state,
  level,
  deposit: formatUnits(deposit, depositScale),
});
