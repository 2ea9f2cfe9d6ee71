import {
  CatalogId,
  Field,
  Given,
  Integer,
  refuse,
  SpanOf,
  Text,
  type FieldOf,
  type Reader,
  type Span,
} from '@bourse/platform';
import { periodOf, type Period } from '../../domain/period.js';

/* Fields of the calls of api §2.4. Fields that need the catalog are late. */

const period: Reader<Period> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const found = periodOf(text);
    if (!found) throw refuse('common.fieldInvalid', field);
    return found;
  },
  schema: {
    type: 'string',
    enum: [
      ...['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'],
      ...['1', '5', '15', '30', '60', '1D', 'D', '1W', 'W', '1M', 'M'],
    ],
  },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
/** Times with more digits are milliseconds (api §2.4). */
const SECONDS_DIGITS_MAX = 11;
/** The end of what a date can hold. */
const LATEST_MS = 8_640_000_000_000_000;
/** Unix seconds, or milliseconds when it has more than 11 digits; as milliseconds. */
const moment: Reader<number> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= LATEST_MS)) throw refuse('common.fieldInvalid', field);
    return text.length > SECONDS_DIGITS_MAX ? value : value * 1_000;
  },
  schema: { type: 'integer', minimum: 0, description: 'Unix seconds; with more than 11 digits milliseconds' },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};
const Moment = (): FieldOf<number> => Field(moment, { late: true });

const DAY_MS = 86_400_000;
/** A day as `YYYY-MM-DD`, read as its beginning in UTC, ms. */
const day: Reader<number> = {
  read(text, field) {
    if (text === undefined) throw refuse('common.fieldRequired', field);
    const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    if (!(at % DAY_MS === 0) || new Date(at).toISOString().slice(0, 10) !== text)
      throw refuse('common.fieldInvalid', field);
    return at;
  },
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'UTC' },
  keys: ['common.fieldRequired', 'common.fieldInvalid'],
};

export class CoinQuery {
  @CatalogId() id!: number;
}
/** A body without a pair (old clients send an address) gets the first one. */
export class BookBody {
  @CatalogId({ field: 'legal_id', optional: true }) quoteId?: number;
  @CatalogId({ field: 'currency_id', optional: true }) baseId?: number;
  @Integer({ min: 8, max: 100, optional: true, late: true, about: 'Levels a side; 20 when absent' }) depth?: number;
}
export class CurrentCandleBody {
  @Text({ field: 'base_currency' }) base!: string;
  @Text({ field: 'quote_currency' }) quote!: string;
  @Field(period, { late: true }) period!: Period;
}
/** All late: refusals leave in the shape of this one call. */
export class CandlesQuery {
  @Text({ late: true }) symbol!: string;
  @Field(period, { late: true }) period!: Period;
  @Moment() from!: number;
  @Moment() to!: number;
}
export class TradesQuery {
  @CatalogId({ field: 'legal_id' }) quoteId!: number;
  @CatalogId({ field: 'currency_id' }) baseId!: number;
  @Given({ about: 'Id of a trade, or its number: older ones' }) before?: string;
  @Integer({ min: 1, max: 100, optional: true, late: true, about: '20 when absent' }) limit?: number;
  @SpanOf() span!: Span;
}
export class TickDayQuery {
  @CatalogId({ field: 'match_id' }) pairId!: number;
  @Field(day) day!: number;
}
