import { Amount, Given, PageOf, Text, UnderKey, type Page, type WrittenAmount } from '@bourse/platform';

/** Names and passwords of the third party are no longer (rules §12.10). */
const LENGTH_MAX = 20;

export class PointsBindBody {
  @Text({ max: LENGTH_MAX, about: 'Account of the third party' }) userName!: string;
  @Text({ max: LENGTH_MAX, about: 'Password of that account' }) password!: string;
}
@UnderKey()
export class PointsExchangeBody {
  @Amount('jc.numberRequired', { about: 'Points to exchange' }) useNumber!: WrittenAmount;
  @Given({ about: 'Fund password; not in a session of the points login' }) password?: string | undefined;
}
export class PointsExchangesQuery {
  @PageOf(10) page!: Page;
}
