import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';

/** Who has added or reset an operator, as the one who asked or as the one who approved. */
@Entity('operator_sponsor')
export class OperatorSponsorEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  operatorId: number;

  @PrimaryColumn('bigint', { transformer: safeInteger })
  sponsorId: number;

  @Column('timestamptz', { transformer: instant })
  at: number;
}
