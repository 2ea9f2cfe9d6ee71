import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  toListPage,
  type Complete,
  type DataPage,
  type Entrust,
  type ListPage,
  type SpotFill,
  type SpotOrder,
} from '@bourse/contract';
import { formatUnits } from '@bourse/money';
import { csvFile, HistoryGate, Refused, timeText, type Caller, type CsvValues, type Page } from '@bourse/platform';
import {
  BUY,
  type Side,
  type Market,
  type Order,
  fillView,
  numberText,
  orderView,
  priceText,
  totalText,
} from '@bourse/matching';
import { EngineReports } from './engine-reports.js';
import { findOrder } from './find-order.js';
import { Markets } from './markets.js';
import type {
  CompletedListBody,
  EntrustListBody,
  FillListQuery,
  OrderExportQuery,
  OrderListQuery,
  OrderName,
  PairFilter,
} from './order-fields.js';
import { ORDER_COLUMNS, orderValues, TRADE_COLUMNS, tradeValues } from './order-csv.js';
import { OrderReads, type FillFilter, type OrderFilter, type StoredFill } from './ports.js';

/** The caller's own orders and fills (api §2.3). */
@Injectable()
export class OrderLists {
  private readonly gate = new HistoryGate();
  constructor(
    private readonly reads: OrderReads,
    private readonly reports: EngineReports,
    private readonly markets: Markets,
  ) {}

  async list(userId: number, { page, status, span, ...pair }: OrderListQuery): Promise<DataPage<SpotOrder>> {
    const found = await this.reads.list(
      userId,
      { ...this.pairs(pair), ...(status === undefined ? {} : { status }), span },
      page.offset,
      page.size,
    );
    return toDataPage(found, page, (order) => this.spotOrder(order));
  }

  /** All own orders or trades of a filter as CSV, oldest first, in pieces: they are never in memory as a whole. */
  csv(userId: number, { kind, status, period, ...pair }: OrderExportQuery): AsyncGenerator<string> {
    const filter = { ...this.pairs(pair), span: { ...period, order: 'asc' } } as const;
    if (kind === 'trades') return csvFile(TRADE_COLUMNS, this.tradeRows(userId, filter));
    return csvFile(ORDER_COLUMNS, this.orderRows(userId, { ...filter, ...(status === undefined ? {} : { status }) }));
  }

  private async *orderRows(userId: number, filter: OrderFilter): AsyncGenerator<readonly CsvValues[]> {
    for await (const orders of this.gate.readPieces(this.reads.allOrders(userId, filter)))
      yield orders.map((order) => orderValues(this.spotOrder(order)));
  }
  private async *tradeRows(userId: number, filter: FillFilter): AsyncGenerator<readonly CsvValues[]> {
    for await (const fills of this.gate.readPieces(this.reads.allFills(userId, filter)))
      yield fills.map((fill) => tradeValues(this.spotFill(fill)));
  }

  /** For operators: the orders of a person as they see them, or the open ones of all people (api §2.12). */
  async forOperators(userId: number | undefined, page: Page): Promise<DataPage<SpotOrder & { user_id: number }>> {
    const found =
      userId === undefined
        ? await this.reads.open(page.offset, page.size)
        : await this.reads.list(userId, {}, page.offset, page.size);
    return toDataPage(found, page, (order) => ({
      ...this.spotOrder(order),
      user_id: order.userId,
    }));
  }

  async order(userId: number, name: OrderName): Promise<SpotOrder> {
    const order = await findOrder(this.reads, this.reports, userId, name);
    if (!order) throw new Refused('common.notFound');
    return this.spotOrder(order);
  }

  async fills(userId: number, { page, orderId, span, ...pair }: FillListQuery): Promise<DataPage<SpotFill>> {
    const found = await this.reads.fills(
      userId,
      { ...this.pairs(pair), ...(orderId === undefined ? {} : { orderId }), span },
      page.offset,
      page.size,
    );
    return toDataPage(found, page, (fill) => this.spotFill(fill));
  }

  async entrusts(caller: Caller, { page, ...pair }: EntrustListBody, side: Side): Promise<ListPage<Entrust>> {
    const found = await this.reads.list(
      caller.userId,
      { ...this.pairs(pair), status: 1, side },
      page.offset,
      page.size,
    );
    return toListPage(found, page, (order) => this.entrust(caller, order));
  }

  async complete(caller: Caller, { page }: CompletedListBody): Promise<ListPage<Complete>> {
    const found = await this.reads.fills(caller.userId, {}, page.offset, page.size);
    return toListPage(found, page, (fill) => this.completed(caller, fill));
  }

  private spotOrder(order: Order): SpotOrder {
    return orderView(this.marketOf(order.pairId), order);
  }
  private spotFill(fill: StoredFill): SpotFill {
    return fillView(this.marketOfSymbol(fill.symbol), fill, fill.side, fill.orderId, fill.fee, fill.role);
  }

  private entrust(caller: Caller, order: Order): Entrust {
    const market = this.marketOf(order.pairId);
    return {
      id: order.id,
      create_time: timeText(order.placedAt),
      currency_name: market.baseName,
      legal_name: market.quoteName,
      account_number: caller.accountNumber,
      total_number: numberText(market, order.quantity),
      price: priceText(market, order.price),
      complete_number: numberText(market, order.filled),
      number: numberText(market, order.quantity - order.filled),
      total_money: totalText(market, order),
    };
  }

  private completed(caller: Caller, fill: StoredFill): Complete {
    const market = this.marketOfSymbol(fill.symbol);
    const time = timeText(fill.at);
    const bought = fill.side === BUY;
    return {
      id: `${market.symbol}-${fill.sequence}`,
      time,
      create_time: time,
      currency_name: market.baseName,
      legal_name: market.quoteName,
      number: numberText(market, fill.quantity),
      price: priceText(market, fill.price),
      total_money: formatUnits(fill.quote, market.quoteScale),
      type: bought ? 'in' : 'out',
      in_fee: formatUnits(bought ? fill.fee : 0n, market.baseScale),
      out_fee: formatUnits(bought ? 0n : fill.fee, market.quoteScale),
      account_number: caller.accountNumber,
    };
  }

  private pairs({ baseId, quoteId }: PairFilter): { pairIds?: number[] } {
    if (baseId === undefined && quoteId === undefined) return {};
    return {
      pairIds: this.markets
        .all()
        .filter(
          (market) =>
            (baseId === undefined || market.baseId === baseId) && (quoteId === undefined || market.quoteId === quoteId),
        )
        .map((market) => market.pairId),
    };
  }

  private marketOf(pairId: number): Market {
    const market = this.markets.byPair(pairId);
    if (!market) throw new Error(`invariant: stored rows name pair ${pairId}, which the catalog does not have`);
    return market;
  }
  private marketOfSymbol(symbol: string): Market {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Error(`invariant: stored rows name ${symbol}, which the catalog does not have`);
    return market;
  }
}
