import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { DataPage, PaymentInfo, RegionUser } from '@bourse/contract';
import {
  Call,
  CurrentCaller,
  Fields,
  Notice,
  present,
  readPage,
  readText,
  type Caller,
  type FieldRecord,
} from '@bourse/platform';
import { KycSubmission } from '../../application/kyc-submission.js';
import { Payment } from '../../application/payment.js';
import { RegionAgents } from '../../application/region-agents.js';
import { Takes } from './request.js';

/** Something besides blanks. */
const NAMED = { max: 100, pattern: /\S/u } as const;
const REGION_PAGE = 10;

/**
 * Identity, bank, payment settings, and what a region agent sees (api §2.1). The order of the readers is the order of
 * rules §12.5.
 */
@ApiTags('auth')
@Controller()
export class IdentityController {
  constructor(
    private readonly papers: KycSubmission,
    private readonly payment: Payment,
    private readonly agents: RegionAgents,
  ) {}

  @ApiOperation({ summary: 'Hand in papers for the identity check' })
  @Takes('name*', 'card_id*', 'front_pic*', 'reverse_pic*', 'hand_pic')
  @Call({ method: 'POST', path: '/api/user/real_name', auth: 'user' })
  async realName(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const name = readText(fields, 'name', 'kyc.nameRequired', NAMED);
    const cardId = readText(fields, 'card_id', 'kyc.cardRequired', NAMED);
    await this.papers.submit(caller, {
      name,
      cardId,
      frontPic: present(fields, 'front_pic'),
      reversePic: present(fields, 'reverse_pic'),
      handPic: present(fields, 'hand_pic'),
    });
    return new Notice('kyc.submitted');
  }

  @ApiOperation({ summary: 'Bind a bank account' })
  @Takes('real_name*', 'bank_no*', 'bank_name*', 'region*', 'phone*')
  @Call({ method: 'POST', path: '/api/user/set_bank_account', auth: 'user' })
  async setBank(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const read = (field: string): string => readText(fields, field, 'common.fieldRequired', NAMED);
    await this.payment.setBank(caller, {
      realName: read('real_name'),
      bankNo: read('bank_no'),
      bankName: read('bank_name'),
      region: read('region'),
      phone: read('phone'),
    });
    return new Notice('bank.saved');
  }

  @ApiOperation({ summary: 'Own payment settings' })
  @Call({ method: 'POST', path: '/api/user/cash_info', auth: 'user', whileFrozen: true })
  cashInfo(@CurrentCaller() caller: Caller): Promise<PaymentInfo | null> {
    return this.payment.info(caller);
  }

  @ApiOperation({ summary: 'Save the payment settings; from the second save on with the fund password' })
  @Takes(
    'real_name*',
    'bank_name*',
    'bank_account*',
    'alipay_account*',
    'alipay_collect*',
    'wechat_account*',
    'wechat_nickname*',
    'wechat_collect*',
    'password',
  )
  @Call({ method: 'POST', path: '/api/user/cash_save', auth: 'user' })
  async cashSave(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<Notice> {
    const needed = await this.payment.needsPassword(caller);
    const texts = {
      realName: readText(fields, 'real_name', 'cash.realName', NAMED),
      bankName: readText(fields, 'bank_name', 'cash.bankName', NAMED),
      bankAccount: readText(fields, 'bank_account', 'cash.bankAccount', NAMED),
      alipayAccount: readText(fields, 'alipay_account', 'cash.alipayAccount', NAMED),
      wechatAccount: readText(fields, 'wechat_account', 'cash.wechatAccount', NAMED),
      wechatNickname: readText(fields, 'wechat_nickname', 'cash.wechatNickname', NAMED),
    };
    await this.payment.save(
      caller,
      texts,
      { alipay: present(fields, 'alipay_collect'), wechat: present(fields, 'wechat_collect') },
      { needed, given: present(fields, 'password') },
    );
    return new Notice('cash.saved');
  }

  @ApiOperation({ summary: 'People of the own region, masked' })
  @Call({ method: 'GET', path: '/api/user/region_users', auth: 'user' })
  regionUsers(@CurrentCaller() caller: Caller, @Fields() fields: FieldRecord): Promise<DataPage<RegionUser>> {
    return this.agents.users(caller, readPage(fields, REGION_PAGE));
  }
}
