import {
  Amount,
  CatalogId,
  Given,
  Id,
  Means,
  PageOf,
  RowId,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';

type State = 'accruing' | 'matured' | 'cancelled';

export class ConfigQuery {
  @CatalogId({ min: 1 }) currencyId!: number;
}
/** Fields of a subscription, in the order in which they are refused (rules §12.10). */
@UnderKey()
export class SubscribeBody {
  @Amount('save.amountRequired') amount!: WrittenAmount;
  @Given({ about: 'Fund password' }) password?: string | undefined;
  @CatalogId('save.config', { min: 1, late: true, about: 'Id of the term' }) configId!: number;
  @CatalogId('save.config', { min: 1, late: true, about: 'Id of the coin' }) currencyId!: number;
}
export class OrdersQuery {
  @PageOf(20) page!: Page;
  @Means({ 1: 'accruing', 2: 'matured', 3: 'cancelled' }, { field: 'status', optional: true }) state?:
    | State
    | undefined;
}
@UnderKey()
export class CancelBody {
  @Id() id!: string;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
export class AdminSavingsQuery {
  @PageOf(20) page!: Page;
  @RowId({ min: 1, optional: true }) userId?: number | undefined;
}
