import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { Refused, type FieldRecord } from '@bourse/platform';
import { CatalogList, decimal, flag, readColumns, text, type SavedRow } from '@bourse/settings';
import { formatTrimmed } from '@bourse/money';
import { MarketDatabase } from './market-database.js';

type Row = CurrencyRow | PairRow;
type Shown = Readonly<Record<string, unknown>>;

/** Scale of percentages and of smallest totals in the catalog. */
const SCALE = 8;
const percent = (max: string) => decimal({ scale: 4, max });
const asFlag = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Rows that this schema keeps as JSON with a version, which the other services copy. */
abstract class StoredList<R extends Row> extends CatalogList {
  protected abstract readonly kind: 'currency' | 'pair';
  constructor(protected readonly database: MarketDatabase) {
    super();
  }

  async rows(): Promise<readonly Shown[]> {
    const rows = await this.database.query<{ row: R }>(`select row from ${this.kind} order by id`);
    return rows.map(({ row }) => this.shown(row));
  }

  async save(tx: Tx, fields: FieldRecord): Promise<SavedRow> {
    const id = /^\d{1,9}$/.test(fields['id'] ?? '') ? Number(fields['id']) : -1;
    const [stored] = await tx.query<{ version: string; row: R }>(
      `select version, row from ${this.kind} where id = $1 for update`,
      [id],
    );
    if (!stored) throw new Refused('common.notFound', {}, { field: 'id' });
    const row = this.changed(stored.row, fields);
    const version = Number(stored.version) + 1;
    await tx.execute(`update ${this.kind} set version = $2, row = $3 where id = $1`, [
      id,
      version,
      JSON.stringify(row),
    ]);
    tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind: this.kind, id: String(id), version, row: { ...row } }));
    return { id: String(id), before: this.shown(stored.row), after: this.shown(row) };
  }

  /** In the words of the contract. */
  protected abstract shown(row: R): Shown;
  /** The row with the fields that were sent; those that were not stay. */
  protected abstract changed(row: R, fields: FieldRecord): R;
}

const PAIR_COLUMNS = {
  maker_fee: percent('5'),
  taker_fee: percent('5'),
  market_band: decimal({ scale: 4, min: '0.01', max: '100' }),
  min_total: decimal({ scale: SCALE, max: '1000000000' }),
  open_spot: flag(),
  open_lever: flag(),
  open_micro: flag(),
  is_display: flag(),
};

/**
 * Pairs. What an order agreed to (its fees) lies in the order: a change counts for those that come after it
 * [SETTING-030].
 */
@Injectable()
export class PairList extends StoredList<PairRow> {
  readonly name = 'pairs';
  protected readonly kind = 'pair';

  constructor(database: MarketDatabase) {
    super(database);
  }

  protected shown(row: PairRow): Shown {
    return {
      id: row.id,
      symbol: row.symbol,
      currency_id: row.currencyId,
      legal_id: row.legalId,
      price_scale: row.priceScale,
      number_scale: row.numberScale,
      maker_fee: row.makerFee,
      taker_fee: row.takerFee,
      market_band: row.marketBand,
      min_total: row.minTotal,
      open_spot: asFlag(row.openSpot),
      open_lever: asFlag(row.openLever),
      open_micro: asFlag(row.openMicro),
      is_display: asFlag(row.isDisplay),
    };
  }

  protected changed(row: PairRow, fields: FieldRecord): PairRow {
    const given = readColumns(PAIR_COLUMNS, fields);
    return {
      ...row,
      ...(given.maker_fee === undefined ? {} : { makerFee: formatTrimmed(given.maker_fee, 4) }),
      ...(given.taker_fee === undefined ? {} : { takerFee: formatTrimmed(given.taker_fee, 4) }),
      ...(given.market_band === undefined ? {} : { marketBand: formatTrimmed(given.market_band, 4) }),
      ...(given.min_total === undefined ? {} : { minTotal: formatTrimmed(given.min_total, SCALE) }),
      openSpot: given.open_spot ?? row.openSpot,
      openLever: given.open_lever ?? row.openLever,
      openMicro: given.open_micro ?? row.openMicro,
      isDisplay: given.is_display ?? row.isDisplay,
    };
  }
}

const LINK = text({ max: 300, pattern: /^(https:\/\/|\/)\S*$/ });
const CURRENCY_COLUMNS = {
  full_name: text({ min: 1, max: 60 }),
  logo: LINK,
  publish_date: text({ max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/ }),
  total_supply: text({ max: 40, pattern: /^\d+(\.\d+)?$/ }),
  circulation: text({ max: 40, pattern: /^\d+(\.\d+)?$/ }),
  website: LINK,
  explorer: LINK,
  white_paper: LINK,
  description: text({ max: 4_000, lines: true }),
};

/** Currencies: what is told of them. Scales and accounts stay as they were installed, because balances depend on them. */
@Injectable()
export class CurrencyList extends StoredList<CurrencyRow> {
  readonly name = 'currencies';
  protected readonly kind = 'currency';

  constructor(database: MarketDatabase) {
    super(database);
  }

  protected shown(row: CurrencyRow): Shown {
    return {
      id: row.id,
      name: row.name,
      scale: row.scale,
      is_legal: asFlag(row.isLegal),
      is_match: asFlag(row.isMatch),
      is_lever: asFlag(row.isLever),
      is_micro: asFlag(row.isMicro),
      full_name: row.fullName,
      logo: row.logo,
      publish_date: row.publishDate,
      total_supply: row.totalSupply,
      circulation: row.circulation,
      website: row.website,
      explorer: row.explorer,
      white_paper: row.whitePaper,
      description: row.description,
    };
  }

  protected changed(row: CurrencyRow, fields: FieldRecord): CurrencyRow {
    const given = readColumns(CURRENCY_COLUMNS, fields);
    return {
      ...row,
      fullName: given.full_name ?? row.fullName,
      logo: given.logo ?? row.logo,
      publishDate: given.publish_date ?? row.publishDate,
      totalSupply: given.total_supply ?? row.totalSupply,
      circulation: given.circulation ?? row.circulation,
      website: given.website ?? row.website,
      explorer: given.explorer ?? row.explorer,
      whitePaper: given.white_paper ?? row.whitePaper,
      description: given.description ?? row.description,
    };
  }
}
