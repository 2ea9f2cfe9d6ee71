import { Given, Name, PageOf, type Page } from '@bourse/platform';

/** At least one character that is not blank. */
const NAMED = { max: 100, pattern: /\S/u } as const;
export class IdentityBody {
  @Name('kyc.nameRequired', NAMED) name!: string;
  @Name('kyc.cardRequired', NAMED) cardId!: string;
  @Given({ about: 'Address of an upload of scene kyc' }) frontPic?: string;
  @Given({ about: 'Address of an upload of scene kyc' }) reversePic?: string;
  @Given({ about: 'Address of an upload of scene kyc' }) handPic?: string;
}
export class BankBody {
  @Name(NAMED) realName!: string;
  @Name(NAMED) bankNo!: string;
  @Name(NAMED) bankName!: string;
  @Name(NAMED) region!: string;
  @Name(NAMED) phone!: string;
}
/** Late: whether the fund password is set is checked first. */
export class PaymentBody {
  @Name('cash.realName', { ...NAMED, late: true }) realName!: string;
  @Name('cash.bankName', { ...NAMED, late: true }) bankName!: string;
  @Name('cash.bankAccount', { ...NAMED, late: true }) bankAccount!: string;
  @Name('cash.alipayAccount', { ...NAMED, late: true }) alipayAccount!: string;
  @Name('cash.wechatAccount', { ...NAMED, late: true }) wechatAccount!: string;
  @Name('cash.wechatNickname', { ...NAMED, late: true }) wechatNickname!: string;
  @Given({ about: 'Address of an upload of scene pay' }) alipayCollect?: string;
  @Given({ about: 'Address of an upload of scene pay' }) wechatCollect?: string;
  @Given({ about: 'Fund password; required from the second time' }) password?: string;
}
export class RegionUsersQuery {
  @PageOf(10) page!: Page;
}
