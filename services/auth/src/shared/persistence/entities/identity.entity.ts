import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import { AccountEntity } from './account.entity.js';

/** A person's identity documents: names of pictures, which the gateway stores. */
@Entity('identity')
export class IdentityEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  frontPic: string;

  @Column('text')
  reversePic: string;

  @Column('text')
  handPic: string;

  @Column('timestamptz', { transformer: instant })
  submittedAt: number;

  /** Null: waits for an operator. */
  @Column('timestamptz', { nullable: true, transformer: instant })
  decidedAt: number | null;

  @OneToOne(() => AccountEntity)
  @JoinColumn({ name: 'user_id' })
  account: AccountEntity;
}
