import type { ChangeFacts } from '@bourse/messaging';
import { Column, Entity, Generated, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import { OperatorEntity } from './operator.entity.js';
import type { ApprovalState } from '../../application/ports/approval-state.js';

/** A call of an operator that waits for a second person. */
@Entity('approval')
export class ApprovalEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  @Generated('increment')
  id: number;

  @Column('text')
  call: string;

  @Column('text')
  target: string;

  @Column('text')
  reason: string;

  @Column('jsonb')
  before: ChangeFacts;

  @Column('jsonb')
  after: ChangeFacts;

  /** May hold the hash of a password; emptied with the decision. */
  @Column('jsonb', { nullable: true })
  payload: unknown;

  /** A call that was not decided in time counts as rejected before this column says so. */
  @Column('text')
  state: ApprovalState;

  @Column('bigint', { transformer: safeInteger })
  createdBy: number;

  @ManyToOne(() => OperatorEntity)
  @JoinColumn({ name: 'created_by' })
  creator: OperatorEntity;

  /** Null: not decided, or not in time. */
  @Column('bigint', { nullable: true, transformer: safeInteger })
  decidedBy: number | null;

  @ManyToOne(() => OperatorEntity)
  @JoinColumn({ name: 'decided_by' })
  decider: OperatorEntity | null;

  @Column('text')
  decisionReason: string;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;

  @Column('timestamptz', { transformer: instant })
  expiresAt: number;

  @Column('timestamptz', { nullable: true, transformer: instant })
  decidedAt: number | null;

  /** Of an approved call that is or was held: when it comes into force. */
  @Column('timestamptz', { nullable: true, transformer: instant })
  inForceAt: number | null;

  /** The payload of an approved call until it is carried out. */
  @Column('jsonb', { nullable: true })
  heldPayload: unknown;

  /** The operator with whose approval the call was sent to its service; null: not sent, or the outcome is known. */
  @Column('bigint', { nullable: true, transformer: safeInteger })
  sentBy: number | null;

  @ManyToOne(() => OperatorEntity)
  @JoinColumn({ name: 'sent_by' })
  sender: OperatorEntity | null;

  /** When it was sent: names the attempt. */
  @Column('timestamptz', { nullable: true, transformer: instant })
  sentAt: number | null;

  /** How often the service was asked since then. */
  @Column('integer', { default: 0 })
  sentTries: number;
}
