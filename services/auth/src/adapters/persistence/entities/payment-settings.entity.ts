import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '@bourse/persistence';

/** Where a person wants to be paid. What an earlier release wrote in the clear is empty once `sealed` is there. */
@Entity('payment_settings')
export class PaymentSettingsEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  realName: string;

  @Column('text')
  bankName: string;

  @Column('text')
  bankAccount: string;

  @Column('text')
  alipayAccount: string;

  @Column('text')
  alipayCollect: string;

  @Column('text')
  wechatAccount: string;

  @Column('text')
  wechatNickname: string;

  @Column('text')
  wechatCollect: string;

  /** All of it as JSON, sealed for `payment` and this person. */
  @Column('text', { nullable: true })
  sealed: string | null;
}
