import type { Direction } from '@bourse/formulas';
import {
  Amount,
  CatalogId,
  Given,
  Id,
  Integer,
  Means,
  PageOf,
  PeriodOf,
  RowId,
  Text,
  UnderKey,
  type Page,
  type Period,
  type WrittenAmount,
} from '@bourse/platform';
import type { Status } from '../domain/position.js';

/*
 * Fields of the calls of api §2.5, with the words of the contract. The use case checks what needs the catalog or a
 * setting, so that refusals keep the order of rules §12.6.
 */

const DIRECTIONS = { 1: 'long', 2: 'short' } as const satisfies Record<string, Direction>;
const CLIENT_ID = /^[A-Za-z0-9_-]{1,36}$/;

@UnderKey()
export class SubmitBody {
  @CatalogId('pair.delisted', { field: 'legal_id', about: 'Id of the quote currency' }) quoteId!: number;
  @CatalogId('pair.delisted', { field: 'currency_id', about: 'Id of the base currency' }) baseId!: number;
  @Means(DIRECTIONS, { field: 'type', about: '1 long, 2 short' }) direction!: Direction;
  @Means({ 1: 'market', 0: 'limit' } as const, { field: 'status', about: '1 at the market, 0 at a trigger price' })
  kind!: 'market' | 'limit';
  @Integer({ key: 'lever.multipleInvalid', missing: 'lever.multipleRequired', late: true }) multiple!: number;
  @Amount('lever.priceRequired', { field: 'target_price', optional: true, about: 'Trigger price' })
  price?: WrittenAmount;
  @Integer('lever.shareInteger', { late: true, about: 'Hands' }) share!: number;
  @Given({ field: 'target_profit_price', about: '0 or empty: none' }) target?: string;
  @Given({ field: 'stop_loss_price', about: '0 or empty: none' }) stop?: string;
  @Text({ max: 36, pattern: CLIENT_ID, optional: true }) clientId?: string;
}

export class DealBody {
  @CatalogId('pair.delisted', { field: 'legal_id', about: 'Id of the quote currency' }) quoteId!: number;
  @CatalogId('pair.delisted', { field: 'currency_id', about: 'Id of the base currency' }) baseId!: number;
}

@UnderKey()
export class PositionBody {
  @Id() id!: string;
}

const COVER = { 0: false, 1: true } as const;
const COVER_RULE = { field: 'cover', optional: true, about: '1: positions that cover a loss close too' } as const;

@UnderKey()
export class CloseBody {
  @Id() id!: string;
  @Means(COVER, COVER_RULE) withCover?: boolean;
  @Integer({ key: 'lever.shareInteger', min: 1, optional: true, late: true, about: 'Contracts to close; absent: all' })
  share?: number;
}

@UnderKey()
export class StopsBody {
  @Id() id!: string;
  @Given({ field: 'target_profit_price', about: '0 or empty: none' }) target?: string;
  @Given({ field: 'stop_loss_price', about: '0 or empty: none' }) stop?: string;
}

@UnderKey()
export class BatchCloseBody {
  @Means({ 0: 'all', 1: 'long', 2: 'short' } as const, { field: 'type', about: '0 all, 1 long, 2 short' })
  which!: 'all' | Direction;
  @CatalogId({ field: 'legal_id', optional: true, about: 'Id of the quote currency; absent: all' }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true, about: 'Id of the base currency; absent: all' }) baseId?: number;
  @Means(COVER, COVER_RULE) withCover?: boolean;
}

/** Names one position by its id or by the client id of its owner. */
export class PositionQuery {
  @Id({ optional: true }) id?: string;
  @Text({ max: 36, pattern: CLIENT_ID, optional: true }) clientId?: string;
}

export class OpenListBody {
  @PageOf(10) page!: Page;
  @CatalogId({ field: 'legal_id', about: 'Id of the quote currency' }) quoteId!: number;
  @CatalogId({ field: 'currency_id', optional: true, about: 'Id of the base currency' }) baseId?: number;
}

const STATUSES = { 0: 0, 1: 1, 2: 2, 3: 3, 4: 4 } as const satisfies Record<string, Status>;
export class OwnListBody {
  @PageOf(10) page!: Page;
  @Means(STATUSES, { optional: true, about: 'Absent: all' }) status?: 0 | 1 | 2 | 3 | 4;
  @CatalogId({ field: 'legal_id', optional: true }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true }) baseId?: number;
}

export class ClosedExportQuery {
  @CatalogId({ field: 'legal_id', optional: true, about: 'Id of the quote currency' }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true, about: 'Id of the base currency' }) baseId?: number;
  @PeriodOf() period!: Period;
}

export class OperatorListQuery {
  @PageOf(20) page!: Page;
  @RowId({ field: 'user_id', optional: true }) userId?: number;
}
