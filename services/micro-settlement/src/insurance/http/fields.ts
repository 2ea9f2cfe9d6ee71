import { CatalogId, Given, Id, PageOf, UnderKey, type Page } from '@bourse/platform';

export class TypesQuery {
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
}
export class InsurancesQuery {
  @PageOf(20) page!: Page;
  @CatalogId({ min: 1, optional: true }) currencyId?: number | undefined;
}
@UnderKey()
export class BuyBody {
  @Given({ about: 'Whole coins' }) amount?: string | undefined;
  @Given({ about: 'Fund password' }) password?: string | undefined;
  @CatalogId({ min: 1, late: true, about: 'Id of the type of insurance' }) typeId!: number;
}
@UnderKey()
export class ClaimBody {
  @Id() id!: string;
}
@UnderKey()
export class CancelBody {
  @Id() id!: string;
  @Given({ about: 'Fund password' }) password?: string | undefined;
}
