import { Injectable } from '@nestjs/common';
import { toDataPage, type DataPage } from '@bourse/contract';
import { isRowId, type ExportPiece, type FoundThing } from '@bourse/messaging';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { timeText, type Page } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { PRICE_TEXT_SCALE, Prices } from '../../shared/application/prices.js';
import { USD_SCALE } from '../../shared/application/settings.js';
import { ReportReader, type BookedJournal, type CoinSums, type JournalFilter } from './ports.js';
import { journalId } from '../../../ledger/application/statement/journal-id.js';

interface ShownLeg {
  owner: string;
  account: string;
  state: 'available' | 'held';
  currency: string;
  amount: string;
}
export interface ShownJournal {
  id: string;
  time: string;
  cause_type: string;
  cause_id: string;
  legs: ShownLeg[];
}
export interface ShownHouse {
  account: string;
  currency: string;
  balance: string;
  held: string;
}
interface UsdSums {
  readonly assets: string;
  readonly liabilities: string;
  readonly own: string;
}
/** Assets, liabilities and own money of the exchange (rules §1). */
export interface HouseSums {
  readonly coins: readonly (UsdSums & {
    readonly currency: string;
    readonly people: string;
    readonly suspense: string;
    /** Assets less liabilities, own money and what is between partitions: 0, or the books are wrong. */
    readonly difference: string;
    /** Null: the coin has no fresh index. */
    readonly usd: UsdSums | null;
  })[];
  readonly usd: UsdSums;
  readonly unpriced: readonly string[];
}
/** Of a currency that the catalog does not know. */
const UNKNOWN_SCALE = 18;

/** Exports of this service's books. */
export const EXPORTS = ['journals', 'withdrawals', 'deposits'] as const;
export type Export = (typeof EXPORTS)[number];

const JOURNALS_HEAD = [
  'time',
  'journal_id',
  'cause_type',
  'cause_id',
  'owner',
  'account',
  'state',
  'currency',
  'amount',
];

/** Reports on the books for operators (api §2.12, §6.4). */
@Injectable()
export class AccountingReports {
  constructor(
    private readonly reader: ReportReader,
    private readonly currencies: Currencies,
    private readonly prices: Prices,
  ) {}

  async journals(filter: JournalFilter, page: Page): Promise<DataPage<ShownJournal>> {
    return toDataPage(await this.reader.journals(filter, page), page, (row) => this.shown(row));
  }

  async house(): Promise<ShownHouse[]> {
    return (await this.reader.house()).map(({ account, currency, balance, held }) => ({
      account,
      currency: this.currencies.nameOf(currency),
      balance: this.amount(balance, currency),
      held: this.amount(held, currency),
    }));
  }

  /**
   * Assets, liabilities and own money of the exchange by coin, with the same in US dollars by the fresh index;
   * coins without one have no value and are named [ADJUST-030].
   */
  async houseSums(): Promise<HouseSums> {
    const coins = (await this.reader.sums()).map((sums) => this.coinSums(sums)).filter(({ isEmpty }) => !isEmpty);
    const total = (of: (coin: (typeof coins)[number]) => bigint | null): string =>
      formatUnits(
        coins.reduce((sum, coin) => sum + (of(coin) ?? 0n), 0n),
        USD_SCALE,
      );
    return {
      coins: coins.map(({ shown }) => shown),
      usd: {
        assets: total(({ usd }) => usd && usd.assets),
        liabilities: total(({ usd }) => usd && usd.liabilities),
        own: total(({ usd }) => usd && usd.own),
      },
      unpriced: coins.flatMap(({ shown }) => (shown.usd === null ? [shown.currency] : [])),
    };
  }

  private coinSums({ currency, outside, people, suspense, clearing, own }: CoinSums) {
    const scale = this.currencies.scaleOf(currency) ?? UNKNOWN_SCALE;
    const units = (text: string): bigint => toUnits(text, scale);
    const assets = -units(outside);
    const liabilities = units(people) + units(suspense);
    const parts = { assets, liabilities, own: units(own), clearing: units(clearing) };
    const price = this.prices.fresh(currency);
    const inUsd = (amount: bigint): bigint =>
      price === null ? 0n : rescale(amount * price, scale + PRICE_TEXT_SCALE, USD_SCALE, 'down');
    const usd =
      price === null ? null : { assets: inUsd(assets), liabilities: inUsd(liabilities), own: inUsd(parts.own) };
    const text = (amount: bigint): string => formatUnits(amount, scale);
    return {
      usd,
      isEmpty: assets === 0n && liabilities === 0n && parts.own === 0n,
      shown: {
        currency: this.currencies.nameOf(currency),
        assets: text(assets),
        people: text(units(people)),
        suspense: text(units(suspense)),
        liabilities: text(liabilities),
        own: text(parts.own),
        difference: text(assets - liabilities - parts.own - parts.clearing),
        usd: usd && {
          assets: formatUnits(usd.assets, USD_SCALE),
          liabilities: formatUnits(usd.liabilities, USD_SCALE),
          own: formatUnits(usd.own, USD_SCALE),
        },
      },
    };
  }

  /** Withdrawals and deposits with this id, transaction or address, for the search over everything. */
  async find(text: string): Promise<FoundThing[]> {
    const found = await this.reader.find(text, isRowId(text) ? text : null);
    return found.map(({ kind, id, userId, currency, amount }) => ({
      kind,
      id,
      userId,
      title: `${this.amount(amount, currency)} ${this.currencies.nameOf(currency)}`,
      role: 'finance',
    }));
  }

  /** Open work for the operators' dashboard, counted by name. */
  work(): Promise<Readonly<Record<string, number>>> {
    return this.reader.work();
  }

  /** One piece of this service's books in a period (ms, `to` excluded): the gateway assembles the file. */
  async piece(what: Export, from: number, to: number, after: string | null): Promise<ExportPiece> {
    if (what !== 'journals')
      return what === 'deposits'
        ? this.reader.depositsAfter(from, to, after)
        : this.reader.withdrawalsAfter(from, to, after);
    const found = await this.reader.journalsAfter(from, to, after);
    return {
      columns: JOURNALS_HEAD,
      after: found.after,
      rows: found.journals.flatMap((row) =>
        this.shown(row).legs.map(({ owner, account, state, currency, amount }) => [
          new Date(row.at).toISOString(),
          journalId(row),
          row.causeType,
          row.causeId,
          owner,
          account,
          state,
          currency,
          amount,
        ]),
      ),
    };
  }

  private shown(row: BookedJournal): ShownJournal {
    return {
      id: journalId(row),
      time: timeText(row.at),
      cause_type: row.causeType,
      cause_id: row.causeId,
      legs: row.legs.map(({ owner, account, state, currency, amount }) => ({
        owner: owner < 0 ? 'house' : String(owner),
        account,
        state,
        currency: this.currencies.nameOf(currency),
        amount,
      })),
    };
  }

  private amount(text: string, currency: number): string {
    const scale = this.currencies.scaleOf(currency);
    return scale === undefined ? text : formatUnits(toUnits(text, scale), scale);
  }
}
