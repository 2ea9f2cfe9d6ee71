import { WAYS } from '@bourse/contract';
import {
  Amount,
  CatalogId,
  Flag,
  Given,
  Id,
  Integer,
  Name,
  OneOf,
  PageOf,
  Prose,
  Reason,
  RowId,
  Text,
  UnderKey,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import type { AcceptorDealType, AcceptorWay } from '../domain/acceptor-deal.js';

const TYPES = ['buy', 'sell'] as const;
const IGNORED = 'Not looked at: the caller is whom the token names';
const PASSWORD = 'Fund password';
const PERCENT = 'Percent, 0 to 20';

export class AcceptorQuery {
  @CatalogId({ min: 1, about: 'Id of the acceptor' }) id!: number;
  @Given({ about: IGNORED }) address?: string | undefined;
}
export class MyAcceptorDealsQuery {
  @PageOf(10) page!: Page;
  @OneOf(WAYS, { optional: true }) way?: AcceptorWay | undefined;
  @OneOf(TYPES, { optional: true }) type?: AcceptorDealType | undefined;
  @Given({ about: IGNORED }) address?: string | undefined;
}
export class AcceptorOrdersQuery {
  @PageOf(10) page!: Page;
  @Integer({ max: 2, optional: true, about: '0 waiting, 1 confirmed, 2 rejected' }) isSure?: number | undefined;
  @OneOf(TYPES, { optional: true }) type?: AcceptorDealType | undefined;
}

/** Fields of a new deal, in the order of their refusals (rules §12.8). */
@UnderKey()
export class AcceptorDealBody {
  @Text('acceptor.mobileRequired', { max: 20, pattern: /^\+?[\d -]{5,20}$/, about: 'Mobile number of the person' })
  mobile!: string;
  @Name('acceptor.accountRequired', { max: 64, about: 'Account that pays or receives' }) dealAccount!: string;
  @Amount('acceptor.money', { scaleKey: 'acceptor.money', about: 'At most two decimals' }) money!: WrittenAmount;
  @OneOf(WAYS, { key: 'acceptor.wayRequired', late: true }) way!: AcceptorWay;
  @OneOf(TYPES, { late: true, about: 'Deposit (buy) or withdrawal (sell)' }) type!: AcceptorDealType;
  @CatalogId({ min: 1, late: true, about: 'Id of the acceptor' }) acceptorId!: number;
  @Amount({ optional: true, about: 'Amount that the person was shown; refused if the rates give another' })
  receiveMoney?: WrittenAmount | undefined;
  @Given({ about: 'Fund password, for a withdrawal' }) password?: string | undefined;
  @Given({ about: IGNORED }) address?: string | undefined;
}
@UnderKey()
export class AcceptorStepBody {
  @Id() id!: string;
}
@UnderKey()
export class AcceptorObjectBody {
  @Id() id!: string;
  @Prose({ max: 500, about: 'What is wrong' }) reason!: string;
  @Given({ about: 'Address of an uploaded picture; required for a deposit' }) pic?: string | undefined;
}
@UnderKey()
export class AcceptorOwnStepBody {
  @Id() id!: string;
  @Given({ about: PASSWORD }) password?: string | undefined;
}
@UnderKey()
export class AcceptorRejectBody {
  @Id() id!: string;
  @Prose({ max: 500, about: 'Why' }) reason!: string;
  @Given({ about: PASSWORD }) password?: string | undefined;
}
@UnderKey()
export class AcceptorTransferredBody {
  @Id() id!: string;
  @Given({ about: 'Address of the uploaded proof' }) proofPic?: string | undefined;
  @Given({ about: PASSWORD }) password?: string | undefined;
}
@UnderKey()
export class AcceptorRatesBody {
  @Amount({ zero: true, about: PERCENT }) rechargeRate!: WrittenAmount;
  @Amount({ zero: true, about: PERCENT }) cashRate!: WrittenAmount;
  @Given({ about: PASSWORD }) password?: string | undefined;
}
const FACT = { max: 100, optional: true } as const;
@UnderKey()
export class AcceptorPaymentBody {
  @Name(FACT) wechatNickname?: string | undefined;
  @Name(FACT) wechatAccount?: string | undefined;
  @Name(FACT) aliNickname?: string | undefined;
  @Name(FACT) aliAccount?: string | undefined;
  @Name(FACT) bankName?: string | undefined;
  @Name(FACT) bankAccount?: string | undefined;
  @Name(FACT) bankAddress?: string | undefined;
  @Given({ about: PASSWORD }) password?: string | undefined;
}
@UnderKey()
export class AcceptorFundBody {
  @OneOf(['in', 'out']) direction!: 'in' | 'out';
  @Amount() number!: WrittenAmount;
  @Given({ about: PASSWORD }) password?: string | undefined;
}

@UnderKey()
export class SaveAcceptorBody {
  @RowId({ min: 1, about: 'Id of the person' }) userId!: number;
  @Name({ min: 2, max: 30 }) name!: string;
  @Amount({ zero: true, about: PERCENT }) rechargeRate!: WrittenAmount;
  @Amount({ zero: true, about: PERCENT }) cashRate!: WrittenAmount;
  @Amount({ zero: true, optional: true, about: 'Cash that the house grants in all; waits for a second operator' })
  cashQuota?: WrittenAmount | undefined;
  @Reason() reason!: string;
}
export class AdminAcceptorDealsQuery {
  @PageOf(20) page!: Page;
  @Flag({ optional: true, about: '1: only those that finance has to decide' }) objected?: boolean | undefined;
  @RowId({ optional: true, about: 'Only deals of this person, on either side' }) userId?: number | undefined;
}
@UnderKey()
export class DecideAcceptorDealBody {
  @Id() id!: string;
  @OneOf(['confirm', 'reject']) outcome!: 'confirm' | 'reject';
  @Reason() reason!: string;
}
