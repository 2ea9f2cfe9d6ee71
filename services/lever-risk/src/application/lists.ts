import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage, type LeverDeal, type LeverPosition } from '@bourse/contract';
import { marginRatio, PERCENT_SCALE, type LeverAccount } from '@bourse/formulas';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { csvFile, HistoryGate, refuse, Refused, type CsvValues, type Page } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { accountOf, liquidationRateOf, type Marks } from '../domain/account.js';
import { STATUS, type Position } from '../domain/position.js';
import { accountKey } from '../domain/risk-book.js';
import { RATE_SCALE } from './draft.js';
import type {
  ClosedExportQuery,
  DealBody,
  OpenListBody,
  OperatorListQuery,
  OwnListBody,
  PositionQuery,
} from './fields.js';
import { AccountClaims } from './account-claims.js';
import { LeverMarkets } from './lever-markets.js';
import {
  LIQUIDATION_RATE,
  LEVERAGES,
  OPEN_RATE,
  OVERNIGHT,
  CONTRACTS_MAX,
  CONTRACTS_MIN,
  CONTRACT_PRESETS,
  SPREAD,
  TRADE_FEE,
} from './lever-settings.js';
import { PositionStore, type AccountName, type ClosedFilter, type PositionFilter } from './ports.js';
import { CLOSED_COLUMNS, closedValues } from './position-csv.js';
import { liquidationOf, positionView } from './position-view.js';
import { openProfits, PositionEvents } from './position-events.js';

const NEWEST = 10;

/** A page of positions, with the figures of the account of its quote. */
export interface LeverListed {
  readonly order: DataPage<LeverPosition>;
  readonly hazard_rate: string;
  readonly profits: string;
  readonly profits_total: string;
  readonly balance: string;
}

/** An account with all that its views show. */
interface AccountFigures {
  /** Available balance, unpaid overnight fees included. */
  readonly balance: bigint;
  readonly account: LeverAccount;
  readonly positions: readonly Position[];
  readonly marks: Marks;
}

/** Lists of positions for users and operators (api §2.5, §2.12). */
@Injectable()
export class LeverLists {
  private readonly gate = new HistoryGate();

  constructor(
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly positionEvents: PositionEvents,
  ) {}

  async deal(userId: number, { quoteId, baseId }: DealBody): Promise<LeverDeal> {
    const market = this.markets.open(quoteId, baseId);
    const { priceScale, quoteScale } = market.scales;
    const figures = await this.figuresOf(userId, quoteId);
    const { rows } = await this.store.list({ userId, pairIds: [market.pairId] }, 0, NEWEST);
    const mark = formatUnits(this.markets.latest(market) ?? 0n, priceScale);
    const percent = (units: bigint): string => formatTrimmed(units, PERCENT_SCALE);
    const values = (numbers: readonly number[]): { value: number }[] => numbers.map((value) => ({ value }));
    const worth = figures.positions.reduce(
      (sum, { status, notional }) => (status === STATUS.open ? sum + notional : sum),
      0n,
    );
    return {
      last_price: mark,
      mark_price: mark,
      multiple: { muit: values(this.settings.get(LEVERAGES)), share: values(this.settings.get(CONTRACT_PRESETS)) },
      all_levers: formatUnits(worth, quoteScale),
      user_lever: formatUnits(figures.balance, quoteScale),
      lever_share_limit: { min: this.settings.get(CONTRACTS_MIN), max: this.settings.get(CONTRACTS_MAX) },
      lever_share_num: market.contractText,
      spread: percent(this.settings.get(SPREAD)),
      lever_trade_fee: percent(this.settings.get(TRADE_FEE)),
      overnight: percent(this.settings.get(OVERNIGHT)),
      burst_rate: percent(liquidationRateOf(figures.positions, this.settings.get(LIQUIDATION_RATE))),
      open_rate: percent(this.settings.get(OPEN_RATE)),
      hazard_rate: formatUnits(marginRatio(figures.account), RATE_SCALE),
      my_transaction: this.views(rows, new Map([[quoteId, figures]])),
    };
  }

  /** Open positions of a quote, or of one pair. */
  async open(userId: number, { page, quoteId, baseId }: OpenListBody): Promise<LeverListed> {
    this.markets.asked(quoteId);
    return this.listed(userId, quoteId, { status: STATUS.open, ...this.pairFilter(quoteId, baseId) }, page);
  }

  /** Own positions; without a quote the figures are those of the first quote of leverage. */
  async own(userId: number, { page, status, quoteId, baseId }: OwnListBody): Promise<LeverListed> {
    const quote = quoteId === undefined ? this.markets.quotes()[0] : this.markets.asked(quoteId);
    return this.listed(userId, quote, { status, ...this.pairFilter(quoteId, baseId) }, page);
  }

  /** All own closed positions of a filter as CSV, oldest close first, in pieces: never in memory as a whole. */
  csv(userId: number, { quoteId, baseId, period }: ClosedExportQuery): AsyncGenerator<string> {
    return csvFile(CLOSED_COLUMNS, this.closedRows(userId, { ...period, ...this.pairFilter(quoteId, baseId) }));
  }

  private async *closedRows(userId: number, filter: ClosedFilter): AsyncGenerator<readonly CsvValues[]> {
    for await (const closed of this.gate.readPieces(this.store.allClosed(userId, filter)))
      yield closed.map((position) => closedValues(position, this.view(position, undefined)));
  }

  /** Positions of all users or of one, with the figures that the owner sees. */
  async all({ page, userId }: OperatorListQuery): Promise<DataPage<LeverPosition & { user_id: number }>> {
    const { rows, total } = await this.store.list({ userId }, page.offset, page.size);
    // Only an open position shows figures of its account: each such account is read once.
    const open = rows.filter(({ status }) => status === STATUS.open);
    const accounts = [
      ...new Map(
        open.map(({ userId: owner, quote }) => [accountKey({ userId: owner, quote }), { userId: owner, quote }]),
      ).values(),
    ];
    const figures = await this.allFigures(accounts);
    const known = new Map(accounts.map((account, index) => [accountKey(account), figures[index]]));
    const data = rows.map((row) => ({ ...this.view(row, known.get(accountKey(row))), user_id: row.userId }));
    return toDataPage({ rows: data, total }, page, (row) => row);
  }

  /**
   * A position of a user by its id, or the newest with its client id.
   * @throws Refused `common.fieldRequired` without either, `common.notFound`
   */
  async one(userId: number, { id, clientId }: PositionQuery): Promise<LeverPosition> {
    if (id === undefined && clientId === undefined) throw refuse('common.fieldRequired', 'id');
    const found =
      id === undefined ? await this.store.findByClientId(clientId ?? '', userId) : await this.store.find(id, userId);
    if (!found) throw new Refused('common.notFound');
    const figures = found.status === STATUS.open ? await this.figuresOf(userId, found.quote) : undefined;
    return this.view(found, figures);
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
      this.allFigures(quotes.map((one) => ({ userId, quote: one }))),
    ]);
    const byQuote = new Map(quotes.map((one, index) => [one, each[index]!]));
    const shown = quote === undefined ? undefined : byQuote.get(quote);
    const scale = quote === undefined ? 0 : this.markets.currency(quote).scale;
    return {
      order: toDataPage({ rows: this.views(rows, byQuote), total }, page, (row) => row),
      hazard_rate: formatUnits(shown ? marginRatio(shown.account) : 0n, RATE_SCALE),
      profits: formatUnits(shown ? openProfits(shown.positions, shown.marks) : 0n, scale),
      profits_total: this.positionEvents.worth(
        [...byQuote].map(([one, { positions, marks }]) => [one, openProfits(positions, marks)] as const),
      ),
      balance: formatUnits(shown?.balance ?? 0n, scale),
    };
  }

  private async figuresOf(userId: number, quote: number): Promise<AccountFigures> {
    const [figures] = await this.allFigures([{ userId, quote }]);
    if (!figures) throw new Error('invariant: one account was asked for');
    return figures;
  }

  /** Figures of accounts, in their order, in one read. */
  private async allFigures(accounts: readonly AccountName[]): Promise<readonly AccountFigures[]> {
    return (await this.claims.readAll(accounts)).map(({ balance, positions }) => {
      const marks = this.markets.marks(new Set(positions.map(({ pairId }) => pairId)));
      return { balance, account: accountOf(balance, positions, marks), positions, marks };
    });
  }

  private views(rows: readonly Position[], allFigures: ReadonlyMap<number, AccountFigures>): LeverPosition[] {
    return rows.map((row) => this.view(row, allFigures.get(row.quote)));
  }

  private view(row: Position, figures: AccountFigures | undefined): LeverPosition {
    const marks = this.markets.marks([row.pairId]);
    const liquidation = figures ? liquidationOf(row, figures.account, figures.positions, figures.marks) : 0n;
    return positionView(row, this.markets.byPair(row.pairId), marks, liquidation);
  }

  private pairFilter(quote: number | undefined, base: number | undefined): Pick<PositionFilter, 'pairIds'> {
    return quote === undefined && base === undefined ? {} : { pairIds: this.markets.pairs(quote, base) };
  }
}
