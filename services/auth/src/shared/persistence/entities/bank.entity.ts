import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { safeInteger } from '@bourse/persistence';
import { AccountEntity } from './account.entity.js';

/** A person's bank account. Columns that an earlier release wrote in the clear are empty once `sealed` is set. */
@Entity('bank')
export class BankEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  realName: string;

  @Column('text')
  bankNo: string;

  @Column('text')
  bankName: string;

  @Column('text')
  region: string;

  @Column('text')
  phone: string;

  /** The whole row as JSON, sealed for `bank` and this person. */
  @Column('text', { nullable: true })
  sealed: string | null;

  /** Keyed hashes of the city, and of the city with its district, by which agents find their people. */
  @Column('text')
  cityMark: string;

  @Column('text')
  areaMark: string;

  @OneToOne(() => AccountEntity)
  @JoinColumn({ name: 'user_id' })
  account: AccountEntity;
}
