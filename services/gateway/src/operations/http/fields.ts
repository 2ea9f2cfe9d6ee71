import {
  Default,
  Given,
  Integer,
  OneOf,
  PageOf,
  Reason,
  RowId,
  Text,
  Time,
  wordReader,
  type Page,
} from '@bourse/platform';
import { EXPORTS, LANGUAGES } from '@bourse/contract';

/* Fields of the gateway's own calls (api §2.11 to §2.13). */

const MODES = ['normal', 'cancel_only', 'halted'] as const;
export class BreakerBody {
  @Text({ max: 40, about: 'all, a symbol, or a product' }) scope!: string;
  @OneOf(MODES) mode!: (typeof MODES)[number];
  @Reason() reason!: string;
}

export class PartitionBody {
  @Text({ max: 40, about: 'A pair, such as BTC/USDT' }) symbol!: string;
  @Integer({ min: 0, max: 63, about: 'Below the number of partitions' }) partition!: number;
  @Reason() reason!: string;
}

/** A long text per language, written as JSON. */
const SETTING_MAX = 4_000 * LANGUAGES.length;
export class SettingBody {
  @Text({ max: 60 }) key!: string;
  @Text({
    min: 0,
    max: SETTING_MAX,
    empty: true,
    about: 'Its owner checks it; empty hides an address',
  })
  value!: string;
  @Reason() reason!: string;
}

export class InboxQuery {
  @Given() to?: string;
  @Given() scene?: string;
  @Integer({ min: 1, max: 1_000, optional: true }) limit?: number;
}
/** A leap year in seconds. */
export const CLOCK_SECONDS_MAX = 366 * 86_400;
export class ClockBody {
  @Integer({ min: 1, max: CLOCK_SECONDS_MAX, optional: true }) advanceSeconds?: number;
  @Given({ about: 'Time text or unix milliseconds, ahead; where advance_seconds is absent' }) set?: string;
  @Default<'business' | 'all'>('business', wordReader({ business: 'business', all: 'all' }, {}), { late: true })
  scope!: 'business' | 'all';
}

export class SearchQuery {
  @Text({ min: 3, max: 100, about: 'An id, a transaction, an address, or part of a contact' }) text!: string;
}

export class AuditLogQuery {
  @Text({ max: 64, optional: true, about: 'A trailing * matches every action that begins so' }) operator?: string;
  @Text({ max: 60, optional: true, about: 'A trailing * matches every action that begins so' }) action?: string;
  @Text({ max: 200, optional: true, about: 'A trailing * matches every action that begins so' }) target?: string;
  @RowId({ min: 1, optional: true, about: 'Actions on this person or their objects' }) userId?: number;
  @Time({ optional: true }) from?: number;
  @Time({ optional: true, about: 'The named second belongs to it' }) to?: number;
  @PageOf(50) page!: Page;
}
export class ExportQuery {
  @OneOf(EXPORTS) what!: (typeof EXPORTS)[number];
  @Time() from!: number;
  @Time({ about: 'The named second belongs to it' }) to!: number;
}

export class CommandQuery {
  @Text({ max: 80, about: 'Idempotency-Key or command_id' }) key!: string;
}
export class SinceQuery {
  @Integer() userSeq!: number;
}
