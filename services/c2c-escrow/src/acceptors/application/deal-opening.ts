import { Injectable } from '@nestjs/common';
import type { AcceptorDeal as ShownDeal } from '@bourse/contract';
import { TOPICS, userNotices } from '@bourse/events';
import { Commands, Sagas, type Moves, type Outcome, type Saga } from '@bourse/ledger-client';
import { FundGate, Parties } from '@bourse/messaging';
import { formatUnits, rescale, type Units } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import {
  Clock,
  Notice,
  Refused,
  refuseOut,
  timeText,
  type CallContext,
  type WrittenAmount,
  Ids,
} from '@bourse/platform';
import { Settings } from '@bourse/settings';
import {
  CASH_SCALE,
  calculateMaxMoney,
  openAcceptorDeal,
  calculateReceived,
  type AcceptorDeal,
  type AcceptorDealType,
  type AcceptorWay,
} from '../domain/acceptor-deal.js';
import { blockedUntil, reservableBy, STRIKE_DAYS } from '../domain/limits.js';
import { AcceptorCatalog } from './catalog.js';
import { AcceptorContacts } from './contacts.js';
import { createCashOrder, createHoldOrder, createReserveOrder, createUnholdOrder } from './journals.js';
import {
  AcceptorBalances,
  AcceptorDealStore,
  AcceptorDebts,
  AcceptorStore,
  type AcceptorPayment,
  type AcceptorRow,
} from './ports.js';
import {
  ACCEPTOR_AUTO_MINUTES,
  ACCEPTOR_DEPOSIT_HOURS,
  ACCEPTOR_OPEN_DEPOSITS,
  ACCEPTOR_PERSON_SHARE,
  ACCEPTOR_SILENT_MINUTES,
  ACCEPTOR_STRIKES,
} from './settings.js';
import { ACCEPTOR_TIMER } from './steps.js';
import { AcceptorViews } from './views.js';
import { toAcceptorNotices } from './notices.js';
import { fillPersonalFields } from '../../shared/application/personal-answer.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Decimals that a written `receive_money` may have. */
const WRITTEN_SCALE = 8;
/** The field of an acceptor's account for each way of payment. */
const ACCOUNT_FIELDS = {
  bank: 'bankAccount',
  ali_pay: 'aliAccount',
  we_chat: 'wechatAccount',
} as const satisfies Record<AcceptorWay, keyof AcceptorPayment>;

/** Fields of a new deal; each refuses when it is read. */
export interface NewAcceptorDeal {
  readonly mobile: string;
  readonly dealAccount: string;
  readonly money: WrittenAmount;
  readonly way: AcceptorWay;
  readonly type: AcceptorDealType;
  readonly acceptorId: number;
  /** The amount that the person was shown; the deal is refused when the rates give another one. */
  readonly receiveMoney?: WrittenAmount | undefined;
  readonly password?: string | undefined;
}
/** The acceptor's balance for a new deal. */
interface AcceptorStock {
  readonly type: AcceptorDealType;
  readonly acceptorId: number;
  readonly rate: bigint;
  readonly scale: number;
  readonly received: bigint;
  /** Free coins or cash; `reserved`: coins that deposits reserve. */
  readonly free: bigint;
  readonly reserved: bigint;
}
interface AgreedDeal {
  readonly deal: AcceptorDeal;
  /** Reads the acceptor's current balance. */
  readonly stock: () => Promise<AcceptorStock>;
}
/** The largest deal that the acceptor could take when the deal was requested, as text. */
interface QuotaNote {
  readonly max: string;
}

/**
 * Opens deals with acceptors (rules §7): a deposit reserves the acceptor's coins, a withdrawal takes two holds in
 * order.
 */
@Injectable()
export class AcceptorDealOpening {
  private readonly reserving: Saga<QuotaNote>;
  private readonly holding: Saga<QuotaNote>;
  private readonly cashing: Saga<QuotaNote>;
  private readonly returning: Moves;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly deals: AcceptorDealStore,
    private readonly acceptors: AcceptorStore,
    private readonly balances: AcceptorBalances,
    private readonly catalog: AcceptorCatalog,
    private readonly fund: FundGate,
    private readonly parties: Parties,
    private readonly contacts: AcceptorContacts,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly views: AcceptorViews,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly debts: AcceptorDebts,
  ) {
    this.returning = sagas.defineMove({ name: 'acceptor.unhold' });
    this.reserving = sagas.define<QuotaNote>({
      name: 'acceptor.reserve',
      onPosted: (tx, outcome) => this.openDeal(tx, outcome),
      onRefused: async (tx, { object, note }) => {
        await this.deals.drop(tx, object);
        return toQuotaRefusal(note);
      },
    });
    this.holding = sagas.define<QuotaNote>({
      name: 'acceptor.hold',
      onPosted: async (tx, outcome) => {
        const deal: AcceptorDeal = { ...(await this.lockDeal(tx, outcome.object)), state: 'holding' };
        await this.deals.save(tx, deal);
        return this.cashing.next(tx, outcome, { object: deal.id, note: outcome.note, command: createCashOrder(deal) });
      },
      onRefused: async (tx, { object }, refusal) => {
        await this.deals.drop(tx, object);
        return refusal;
      },
    });
    this.cashing = sagas.define<QuotaNote>({
      name: 'acceptor.cash',
      onPosted: (tx, outcome) => this.openDeal(tx, outcome),
      // The first hold is returned before the person gets the refusal of the second.
      onRefused: async (tx, outcome) => {
        const deal = await this.lockDeal(tx, outcome.object);
        await this.deals.drop(tx, deal.id);
        return this.returning.next(tx, outcome, {
          object: deal.id,
          command: createUnholdOrder(deal),
          answer: toQuotaRefusal(outcome.note),
        });
      },
    });
  }

  /** @throws Refused in the order of rules §12.8, and as the ledger refuses */
  async submit(userId: number, fields: NewAcceptorDeal, context: CallContext): Promise<Notice> {
    let recheck: (() => Promise<unknown>) | undefined;
    const call = this.commands.run(context, {
      prepare: async () => {
        const { deal, stock } = await this.agreeTerms(userId, fields, context);
        recheck = async () => this.requireQuota(userId, await stock());
        const found = await stock();
        return { deal, found, max: await this.requireQuota(userId, found) };
      },
      decide: async (tx, { deal, found, max }) => {
        await this.refuseTooManyDeposits(tx, deal);
        // Concurrent deposits of the same person are counted one after another.
        if (deal.type === 'buy') await this.requireQuota(userId, found, tx);
        await this.deals.insert(tx, deal);
        const [object, note] = [deal.id, { max }];
        return deal.type === 'buy'
          ? this.reserving.ask({ object, note, command: createReserveOrder(deal) })
          : this.holding.ask({ object, note, command: createHoldOrder(deal) });
      },
    });
    const answer = await call.catch(async (error: unknown) => {
      // Another deal was faster: the refusal names the current maximum.
      if (error instanceof Refused && error.key === 'acceptor.quota') await recheck?.();
      throw error;
    });
    return fillPersonalFields(answer, this.deals, (shown: ShownDeal, deal) =>
      this.views.fillPersonal(shown, deal, context.caller),
    );
  }

  /**
   * A deposit reserves coins of the acceptor for a day and costs nothing to request, so the open deposits of a person
   * are limited, including those that wait for the ledger or for finance. @throws Refused `c2c.openDeal` {max}
   */
  private async refuseTooManyDeposits(tx: Tx, { type, userId }: AcceptorDeal): Promise<void> {
    if (type !== 'buy') return;
    const max = this.settings.get(ACCEPTOR_OPEN_DEPOSITS);
    if ((await this.deals.countOpenDeposits(tx, userId)) >= max) throw new Refused('c2c.openDeal', { max });
  }

  private async openDeal(tx: Tx, { object, acceptedAt }: Outcome<QuotaNote>): Promise<Notice> {
    const deal = openAcceptorDeal(await this.lockDeal(tx, object), acceptedAt);
    await this.deals.save(tx, deal);
    await this.timers.set(tx, ACCEPTOR_TIMER, deal.id, deal.dueAt!);
    tx.emit(TOPICS.userNotices, 0, userNotices(toAcceptorNotices(deal, 'place')));
    return new Notice('acceptor.submitted', { id: deal.id, deal: this.views.toBareView(deal) });
  }

  private async lockDeal(tx: Tx, id: string): Promise<AcceptorDeal> {
    const deal = await this.deals.lock(tx, id);
    if (!deal) throw new Error(`invariant: the deal ${id} that the ledger decides is not there`);
    return deal;
  }

  private async agreeTerms(userId: number, fields: NewAcceptorDeal, context: CallContext): Promise<AgreedDeal> {
    // Fields are read one after the other: the first invalid one is refused.
    const { mobile, dealAccount } = fields;
    const money = fields.money.units(CASH_SCALE);
    const { way, type, acceptorId, password } = fields;
    if (type === 'sell') {
      await this.fund.demand(userId, password);
      refuseOut(context, null, this.clock.now());
    }
    const acceptor = await this.acceptors.findById(acceptorId);
    // An acceptor without the role, or with a debt, takes no new deals; open ones end by time or by finance.
    if (!acceptor || !(await this.takesDeals(acceptor.userId)))
      throw new Refused('common.notFound', {}, { field: 'acceptor_id' });
    if (acceptor.userId === userId) throw new Refused('acceptor.self');
    const { id: currencyId, scale } = this.catalog.requireCoin();
    const received = this.calculateReceived(type, money, acceptor, scale);
    if (received === 0n) throw new Refused('acceptor.money', {}, { field: 'money' });
    this.refuseChangedRate(fields.receiveMoney, received, type === 'buy' ? scale : CASH_SCALE);
    if (type === 'buy') await this.refuseBlocked(userId);
    const acceptorAccount = acceptor.payment[ACCOUNT_FIELDS[way]];
    // A deposit needs an account to pay to.
    if (type === 'buy' && acceptorAccount === '') throw new Refused('acceptor.wayRequired', {}, { field: 'way' });
    const silent =
      type === 'buy'
        ? this.settings.get(ACCEPTOR_DEPOSIT_HOURS) * 60 * MINUTE_MS
        : this.settings.get(ACCEPTOR_SILENT_MINUTES) * MINUTE_MS;
    const [now, id] = [this.clock.now(), this.ids.next()];
    const deal: AcceptorDeal = {
      id,
      type,
      userId,
      acceptorId: acceptor.userId,
      acceptorName: acceptor.name,
      currencyId,
      scale,
      money,
      received,
      way,
      facts: this.contacts.seal(id, { mobile, account: dealAccount, acceptorAccount }),
      silentMs: silent,
      autoMs: this.settings.get(ACCEPTOR_AUTO_MINUTES) * MINUTE_MS,
      state: 'asking',
      stage: 'waiting',
      proof: '',
      evidence: '',
      reason: '',
      reasonKey: '',
      autoAt: null,
      dispute: 'none',
      missing: 0n,
      dueAt: null,
      createdAt: now,
      updatedAt: now,
    };
    return { deal, stock: () => this.findStock(type, acceptor, received, scale) };
  }

  private async takesDeals(userId: number): Promise<boolean> {
    const [acting, owed] = await Promise.all([this.parties.acceptorsAmong([userId]), this.debts.findOwed([userId])]);
    return acting.has(userId) && owed.size === 0;
  }

  private calculateReceived(type: AcceptorDealType, money: Units, acceptor: AcceptorRow, scale: number): bigint {
    return type === 'buy'
      ? calculateReceived(rescale(money, CASH_SCALE, scale, 'down'), acceptor.rechargeRate)
      : calculateReceived(money, acceptor.cashRate);
  }

  /**
   * The largest deal of the person with the acceptor now, in money. @throws Refused `acceptor.quota` {max} when it is
   * too small
   */
  private async requireQuota(userId: number, stock: AcceptorStock, tx?: Tx): Promise<string> {
    const { type, acceptorId, rate, scale, received, free, reserved } = stock;
    const own = type === 'buy' ? await this.deals.sumReserved(userId, acceptorId, tx) : 0n;
    const left = type === 'buy' ? reservableBy(free, reserved, own, this.settings.get(ACCEPTOR_PERSON_SHARE)) : free;
    const max = formatUnits(calculateMaxMoney(left, scale, rate), CASH_SCALE);
    if (received > left) throw toQuotaRefusal({ max });
    return max;
  }

  private async findStock(
    type: AcceptorDealType,
    acceptor: AcceptorRow,
    received: bigint,
    scale: number,
  ): Promise<AcceptorStock> {
    const { posted, reserved, cash } = await this.balances.findBalance(acceptor.userId);
    const of = { type, acceptorId: acceptor.userId, received };
    return type === 'buy'
      ? { ...of, rate: acceptor.rechargeRate, scale, free: posted, reserved }
      : { ...of, rate: acceptor.cashRate, scale: CASH_SCALE, free: cash, reserved: 0n };
  }

  /** @throws Refused `acceptor.blocked` {until} for a person with too many rejected objections to deposits. */
  private async refuseBlocked(userId: number): Promise<void> {
    const now = this.clock.now();
    // Twice the period: an objection closes deposits for one period, and the row that it ends began up to one period
    // earlier.
    const against = await this.deals.listDecidedAgainst(userId, now - 2 * STRIKE_DAYS * DAY_MS);
    const until = blockedUntil(against, this.settings.get(ACCEPTOR_STRIKES), now);
    if (until !== null) throw new Refused('acceptor.blocked', { until: timeText(until) });
  }

  /** @throws Refused `acceptor.rateChanged` when the rates give another amount than the person was shown */
  private refuseChangedRate(expected: WrittenAmount | undefined, received: bigint, scale: number): void {
    if (expected?.text === undefined) return;
    if (expected.units(WRITTEN_SCALE) !== rescale(received, scale, WRITTEN_SCALE, 'down'))
      throw new Refused(
        'acceptor.rateChanged',
        { receive_money: formatUnits(received, scale) },
        { field: 'receive_money' },
      );
  }
}

const toQuotaRefusal = ({ max }: QuotaNote): Refused => new Refused('acceptor.quota', { max }, { field: 'money' });
