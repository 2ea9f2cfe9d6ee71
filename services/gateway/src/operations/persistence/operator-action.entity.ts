import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';

/** A line of the audit log. Lines are added, never changed: the table refuses updates. */
@Entity('operator_action')
export class OperatorActionEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  @Generated('increment')
  id: number;

  @Column('timestamptz', { name: 'time', transformer: instant })
  at: number;

  @Column('bigint', { transformer: safeInteger })
  operatorId: number;

  @Column('text')
  operator: string;

  @Column('text')
  action: string;

  @Column('text')
  target: string;

  /** People concerned, beside the one that the target names. */
  @Column('bigint', { array: true, select: false })
  subjects: readonly number[];

  @Column('text')
  reason: string;

  @Column('text')
  before: string;

  @Column('text')
  after: string;

  /** The service's id of the event; null: written by the gateway itself, before services published actions. */
  @Column('text', { nullable: true })
  eventId: string | null;
}
