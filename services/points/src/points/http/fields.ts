import { normalizePassword } from '@bourse/contract';
import {
  Amount,
  Field,
  Given,
  Name,
  PageOf,
  textReader,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';

/** Names and passwords of the third party are no longer (rules §12.10). */
const LENGTH_MAX = 20;

const text = textReader({ max: LENGTH_MAX });
const password: typeof text = {
  ...text,
  read: (given, field) => text.read(given === undefined ? undefined : normalizePassword(given), field),
};

export class PointsBindBody {
  @Name({ max: LENGTH_MAX, about: 'Account of the third party' }) userName!: string;
  @Field(password, { about: 'Password of that account' }) password!: string;
}
@UnderKey()
export class PointsExchangeBody {
  @Amount('jc.numberRequired', { about: 'Points to exchange' }) useNumber!: WrittenAmount;
  @Given({ about: 'Fund password; not in a session of the points login' }) password?: string | undefined;
}
export class PointsExchangesQuery {
  @PageOf(10) page!: Page;
}
