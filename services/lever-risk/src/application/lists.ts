import { Injectable } from '@nestjs/common';
import type { DataPage, LeverDeal, LeverPosition } from '@bourse/contract';
import { hazardRate, PERCENT_SCALE, type LeverAccount } from '@bourse/formulas';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { refuse, Refused, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, burstOf, type Marks } from '../domain/account.js';
import { STATUS, type Position } from '../domain/position.js';
import { accountKey } from '../domain/risk-book.js';
import { RATE_SCALE } from './draft.js';
import type { DealBody, OpenListBody, OperatorListQuery, OwnListBody, PositionQuery } from './fields.js';
import { Judge } from './judge.js';
import { LeverMarkets } from './lever-markets.js';
import {
  BURST_RATE,
  MULTIPLES,
  OPEN_RATE,
  OVERNIGHT,
  SHARE_MAX,
  SHARE_MIN,
  SHARE_PRESETS,
  SPREAD,
  TRADE_FEE,
} from './lever-settings.js';
import { PositionStore, type AccountName, type PositionFilter } from './ports.js';
import { liquidationOf, positionView } from './position-view.js';
import { openProfits, PositionEvents } from './position-events.js';

const NEWEST = 10;

/** A page of positions, with what stands for the account of its quote. */
export interface LeverListed {
  readonly order: DataPage<LeverPosition>;
  readonly hazard_rate: string;
  readonly profits: string;
  readonly profits_total: string;
  readonly balance: string;
}

/** One account as it stands, for all that is shown of it. */
interface Standing {
  /** All that is available, what is owed for nights too. */
  readonly balance: bigint;
  readonly account: LeverAccount;
  readonly positions: readonly Position[];
  readonly marks: Marks;
}

/** What people and operators read of positions (api §2.5, §2.12). */
@Injectable()
export class LeverLists {
  constructor(
    private readonly judge: Judge,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly positionEvents: PositionEvents,
  ) {}

  async deal(userId: number, { quoteId, baseId }: DealBody): Promise<LeverDeal> {
    const market = this.markets.open(quoteId, baseId);
    const { priceScale, quoteScale } = market.scales;
    const standing = await this.standing(userId, quoteId);
    const { rows } = await this.store.list({ userId, pairIds: [market.pairId] }, 0, NEWEST);
    const mark = formatUnits(this.markets.latest(market) ?? 0n, priceScale);
    const percent = (units: bigint): string => formatTrimmed(units, PERCENT_SCALE);
    const values = (numbers: readonly number[]): { value: number }[] => numbers.map((value) => ({ value }));
    const worth = standing.positions.reduce(
      (sum, { status, notional }) => (status === STATUS.open ? sum + notional : sum),
      0n,
    );
    return {
      last_price: mark,
      mark_price: mark,
      multiple: { muit: values(this.settings.get(MULTIPLES)), share: values(this.settings.get(SHARE_PRESETS)) },
      all_levers: formatUnits(worth, quoteScale),
      user_lever: formatUnits(standing.balance, quoteScale),
      lever_share_limit: { min: this.settings.get(SHARE_MIN), max: this.settings.get(SHARE_MAX) },
      lever_share_num: market.handText,
      spread: percent(this.settings.get(SPREAD)),
      lever_trade_fee: percent(this.settings.get(TRADE_FEE)),
      overnight: percent(this.settings.get(OVERNIGHT)),
      burst_rate: percent(burstOf(standing.positions, this.settings.get(BURST_RATE))),
      open_rate: percent(this.settings.get(OPEN_RATE)),
      hazard_rate: formatUnits(hazardRate(standing.account), RATE_SCALE),
      my_transaction: this.views(rows, new Map([[quoteId, standing]])),
    };
  }

  /** Open positions of a quote, of one pair where it is named. */
  async open(userId: number, { page, quoteId, baseId }: OpenListBody): Promise<LeverListed> {
    this.markets.asked(quoteId);
    return this.listed(userId, quoteId, { status: STATUS.open, ...this.pairFilter(quoteId, baseId) }, page);
  }

  /** Own positions; without a quote the figures are those of the first that leverage is paid in. */
  async own(userId: number, { page, status, quoteId, baseId }: OwnListBody): Promise<LeverListed> {
    const quote = quoteId === undefined ? this.markets.quotes()[0] : this.markets.asked(quoteId);
    return this.listed(userId, quote, { status, ...this.pairFilter(quoteId, baseId) }, page);
  }

  /** Positions of everybody, or of one person, as they see them. */
  async all({ page, userId }: OperatorListQuery): Promise<DataPage<LeverPosition & { user_id: number }>> {
    const { rows, total } = await this.store.list({ userId }, page.offset, page.size);
    // Only an open position shows something of its account: each of those is read once, however many of its rows.
    const open = rows.filter(({ status }) => status === STATUS.open);
    const accounts = [
      ...new Map(
        open.map(({ userId: owner, quote }) => [accountKey({ userId: owner, quote }), { userId: owner, quote }]),
      ).values(),
    ];
    const standings = await this.standings(accounts);
    const known = new Map(accounts.map((account, index) => [accountKey(account), standings[index]]));
    const data = rows.map((row) => ({ ...this.view(row, known.get(accountKey(row))), user_id: row.userId }));
    return pageOf(data, total, page);
  }

  /**
   * A position of a person by its id, or the newest by its client id.
   * @throws Refused `common.fieldRequired` without either, `common.notFound`
   */
  async one(userId: number, { id, clientId }: PositionQuery): Promise<LeverPosition> {
    if (id === undefined && clientId === undefined) throw refuse('common.fieldRequired', 'id');
    const found =
      id === undefined ? await this.store.findByClientId(clientId ?? '', userId) : await this.store.find(id, userId);
    if (!found) throw new Refused('common.notFound');
    const standing = found.status === STATUS.open ? await this.standing(userId, found.quote) : undefined;
    return this.view(found, standing);
  }

  private async listed(
    userId: number,
    quote: number | undefined,
    filter: PositionFilter,
    page: Page,
  ): Promise<LeverListed> {
    const quotes = [...new Set([...this.markets.quotes(), ...(quote === undefined ? [] : [quote])])];
    const [{ rows, total }, each] = await Promise.all([
      this.store.list({ userId, ...filter }, page.offset, page.size),
      this.standings(quotes.map((one) => ({ userId, quote: one }))),
    ]);
    const standings = new Map(quotes.map((one, index) => [one, each[index]!]));
    const shown = quote === undefined ? undefined : standings.get(quote);
    const scale = quote === undefined ? 0 : this.markets.currency(quote).scale;
    return {
      order: pageOf(this.views(rows, standings), total, page),
      hazard_rate: formatUnits(shown ? hazardRate(shown.account) : 0n, RATE_SCALE),
      profits: formatUnits(shown ? openProfits(shown.positions, shown.marks) : 0n, scale),
      profits_total: this.positionEvents.worth(
        [...standings].map(([one, { positions, marks }]) => [one, openProfits(positions, marks)] as const),
      ),
      balance: formatUnits(shown?.balance ?? 0n, scale),
    };
  }

  private async standing(userId: number, quote: number): Promise<Standing> {
    const [standing] = await this.standings([{ userId, quote }]);
    if (!standing) throw new Error('invariant: one account was asked for');
    return standing;
  }

  /** Accounts as they are, in their order: all of them in one read. */
  private async standings(accounts: readonly AccountName[]): Promise<readonly Standing[]> {
    return (await this.judge.lookAll(accounts)).map(({ balance, positions }) => {
      const marks = this.markets.marks(new Set(positions.map(({ pairId }) => pairId)));
      return { balance, account: accountOf(balance, positions, marks), positions, marks };
    });
  }

  private views(rows: readonly Position[], standings: ReadonlyMap<number, Standing>): LeverPosition[] {
    return rows.map((row) => this.view(row, standings.get(row.quote)));
  }

  private view(row: Position, standing: Standing | undefined): LeverPosition {
    const marks = this.markets.marks([row.pairId]);
    const liquidation = standing ? liquidationOf(row, standing.account, standing.positions, standing.marks) : 0n;
    return positionView(row, this.markets.byPair(row.pairId), marks, liquidation);
  }

  private pairFilter(quote: number | undefined, base: number | undefined): Pick<PositionFilter, 'pairIds'> {
    return quote === undefined && base === undefined ? {} : { pairIds: this.markets.pairs(quote, base) };
  }
}

const pageOf = <X>(data: X[], total: number, { page, size, offset }: Page): DataPage<X> => ({
  data,
  page,
  page_size: size,
  total,
  has_more: offset + size < total ? 1 : 0,
});
