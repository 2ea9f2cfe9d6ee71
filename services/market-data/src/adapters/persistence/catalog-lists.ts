import { Injectable } from '@nestjs/common';
import { toFlag, type CurrencyRow, type PairRow } from '@bourse/contract';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import { formatTrimmed } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { CatalogList, type CatalogBody, type SavedRow } from '@bourse/settings';
import {
  PERCENT_SCALE,
  CurrencyBody,
  PairBody,
  TOTAL_SCALE,
  type CatalogCurrency,
  type CatalogPair,
} from '../../application/catalog-rows.js';
import type { CatalogRowEntity } from './entities/catalog-row.entity.js';
import { CurrencyEntity } from './entities/currency.entity.js';
import { PairEntity } from './entities/pair.entity.js';
import { MarketDatabase } from './market-database.js';

/** Rows that this schema keeps as JSON with a version, which the other services copy. */
abstract class StoredList<
  R extends CurrencyRow | PairRow,
  S extends object,
  B extends CatalogBody,
> extends CatalogList<B> {
  protected abstract readonly kind: 'currency' | 'pair';
  protected abstract readonly entity: new () => CatalogRowEntity<R>;
  constructor(protected readonly database: MarketDatabase) {
    super();
  }

  /** All rows, those that are switched off included. */
  async rows(): Promise<readonly S[]> {
    const rows = await this.database.manager.find<CatalogRowEntity<CurrencyRow | PairRow>>(this.entity, {
      order: { id: 'ASC' },
    });
    return rows.map(({ row }) => this.shown(row as R));
  }

  async save(tx: Tx, body: B): Promise<SavedRow> {
    const stored = await tx.manager.findOne<CatalogRowEntity<CurrencyRow | PairRow>>(this.entity, {
      where: { id: body.id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!stored) throw new Refused('common.notFound', {}, { field: 'id' });
    const before = stored.row as R;
    const row = this.changed(before, body);
    const { id, version } = await tx.manager.save(this.entity, { ...stored, version: stored.version + 1, row });
    tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind: this.kind, id: String(id), version, row: { ...row } }));
    return { id: String(id), before: this.shown(before), after: this.shown(row) };
  }

  /** In the words of the contract. */
  protected abstract shown(row: R): S;
  /** The row with the columns that were sent; those that were not stay. */
  protected abstract changed(row: R, body: B): R;
}

/** Pairs. An order has its own copy of its fees: a change applies to later orders [SETTING-030]. */
@Injectable()
export class PairList extends StoredList<PairRow, CatalogPair, PairBody> {
  readonly name = 'pairs';
  readonly body = PairBody;
  protected readonly kind = 'pair';
  protected readonly entity = PairEntity;

  constructor(database: MarketDatabase) {
    super(database);
  }

  protected shown(row: PairRow): CatalogPair {
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
      open_spot: toFlag(row.openSpot),
      open_lever: toFlag(row.openLever),
      open_micro: toFlag(row.openMicro),
      is_display: toFlag(row.isDisplay),
    };
  }

  protected changed(row: PairRow, body: PairBody): PairRow {
    const { makerFee, takerFee, marketBand, minTotal, openSpot, openLever, openMicro, isDisplay } = body;
    return {
      ...row,
      makerFee: makerFee === undefined ? row.makerFee : formatTrimmed(makerFee, PERCENT_SCALE),
      takerFee: takerFee === undefined ? row.takerFee : formatTrimmed(takerFee, PERCENT_SCALE),
      marketBand: marketBand === undefined ? row.marketBand : formatTrimmed(marketBand, PERCENT_SCALE),
      minTotal: minTotal === undefined ? row.minTotal : formatTrimmed(minTotal, TOTAL_SCALE),
      openSpot: openSpot ?? row.openSpot,
      openLever: openLever ?? row.openLever,
      openMicro: openMicro ?? row.openMicro,
      isDisplay: isDisplay ?? row.isDisplay,
    };
  }
}

/**
 * Currencies: their published texts. Scales and accounts stay as they were installed, because balances depend on them.
 */
@Injectable()
export class CurrencyList extends StoredList<CurrencyRow, CatalogCurrency, CurrencyBody> {
  readonly name = 'currencies';
  readonly body = CurrencyBody;
  protected readonly kind = 'currency';
  protected readonly entity = CurrencyEntity;

  constructor(database: MarketDatabase) {
    super(database);
  }

  protected shown(row: CurrencyRow): CatalogCurrency {
    return {
      id: row.id,
      name: row.name,
      scale: row.scale,
      is_legal: toFlag(row.isLegal),
      is_match: toFlag(row.isMatch),
      is_lever: toFlag(row.isLever),
      is_micro: toFlag(row.isMicro),
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

  protected changed(row: CurrencyRow, body: CurrencyBody): CurrencyRow {
    return {
      ...row,
      fullName: body.fullName ?? row.fullName,
      logo: body.logo ?? row.logo,
      publishDate: body.publishDate ?? row.publishDate,
      totalSupply: body.totalSupply ?? row.totalSupply,
      circulation: body.circulation ?? row.circulation,
      website: body.website ?? row.website,
      explorer: body.explorer ?? row.explorer,
      whitePaper: body.whitePaper ?? row.whitePaper,
      description: body.description ?? row.description,
    };
  }
}
