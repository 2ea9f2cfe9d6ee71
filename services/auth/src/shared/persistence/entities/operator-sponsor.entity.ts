import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';

/** An operator who has requested or approved the addition or reset of another operator. */
@Entity('operator_sponsor')
export class OperatorSponsorEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  operatorId: number;

  @PrimaryColumn('bigint', { transformer: safeInteger })
  sponsorId: number;

  @Column('timestamptz', { transformer: instant })
  at: number;
}
