import {
  Amount,
  CatalogId,
  Given,
  GivenCode,
  Id,
  Integer,
  OneOf,
  PageOf,
  Reason,
  RowId,
  Text,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';

/* Fields of the calls about withdrawals, each class in the order of rules §12.9. */

const STATES = ['review', 'sending', 'done', 'failed', 'cancelled'] as const;
@UnderKey()
export class WithdrawBody {
  @Text('wallet.addressRequired', { max: 120 }) address!: string;
  @Amount('wallet.numberRequired') number!: WrittenAmount;
  @CatalogId() currency!: number;
  @Given({ about: 'Id of a network; required if the coin has several' }) type?: string;
  @Given({ about: 'Required on networks that have one' }) memo?: string;
  @Given({ about: 'Fund password' }) payPassword?: string;
  @GivenCode({ about: 'Code of the authenticator, where one is on' }) totpCode?: string;
}
@UnderKey()
export class CancelWithdrawalBody {
  @Id() id!: string;
}
export class WithdrawalListQuery {
  @Id({ optional: true, about: 'This one alone' }) id?: string | undefined;
  @OneOf(STATES, { optional: true }) state?: (typeof STATES)[number];
  @RowId({ min: 1, optional: true, about: 'Of one person alone' }) userId?: number | undefined;
  @PageOf(20) page!: Page;
}
export class DecideWithdrawalBody {
  @Id() id!: string;
  @Reason() reason!: string;
}
export class ApproveWithdrawalBody extends DecideWithdrawalBody {
  @Integer({ min: 0, optional: true, about: 'Approvals that the operator has seen; another number is refused' })
  approvals?: number;
  @Integer({
    min: 0,
    optional: true,
    about: '`updated_ts` that the operator has seen; another one is refused; required where the chain has refused it',
  })
  updatedTs?: number;
}
