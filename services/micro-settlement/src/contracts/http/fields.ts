import type { MicroDirection } from '@bourse/formulas';
import {
  Amount,
  CatalogId,
  Given,
  Id,
  Integer,
  Means,
  PageOf,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';

/** Latest time that a date can hold, ms. */
const LATEST_MS = 8_640_000_000_000_000;

/** Fields of a new contract, in the order in which they are refused (rules §12.7). */
@UnderKey()
export class SubmitBody {
  @Amount('miscro.openNum', { about: 'Stake' }) number!: WrittenAmount;
  @CatalogId({ min: 1, late: true, about: 'Id of the market' }) matchId!: number;
  @CatalogId({ min: 1, late: true, about: 'Id of the coin of the stake' }) currencyId!: number;
  @Means({ 1: 'up', 2: 'down' }, { field: 'type', late: true }) direction!: MicroDirection;
  @Integer({
    key: 'micro.secondsUnknown',
    missing: 'common.fieldRequired',
    late: true,
    about: 'One of the durations on offer',
  })
  seconds!: number;
  @Given({ about: 'Id of the client; ignored' }) clientId?: string | undefined;
}

export class ListQuery {
  @PageOf(20) page!: Page;
  @Means({ 1: false, 3: true }, { field: 'status', optional: true }) isClosed?: boolean | undefined;
  @CatalogId({ min: 1, optional: true }) matchId?: number | undefined;
}
export class ReceiptQuery {
  @Id() id!: string;
}
export class TicksQuery {
  @CatalogId({ min: 1, about: 'Id of the market' }) matchId!: number;
  @Integer({ max: LATEST_MS, about: 'Unix milliseconds' }) from!: number;
  @Integer({ max: LATEST_MS, about: 'Unix milliseconds, at most 10 minutes later' }) to!: number;
}
