import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '@bourse/persistence';

/** A person's payment settings. Columns that an earlier release wrote in the clear are empty once `sealed` is set. */
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

  /** The whole row as JSON, sealed for `payment` and this person. */
  @Column('text', { nullable: true })
  sealed: string | null;
}
