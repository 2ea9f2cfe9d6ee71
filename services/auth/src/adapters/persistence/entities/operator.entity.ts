import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import type { OperatorRole } from '../../../application/ports/operators.js';

/** Who runs the exchange. Ids lie below those of people, so that neither is ever taken for the other. */
@Entity('operator')
export class OperatorEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  @Generated('increment')
  id: number;

  /** In lower case. */
  @Column('text')
  username: string;

  @Column('text')
  passwordHash: string;

  @Column('text', { array: true })
  roles: OperatorRole[];

  @Column('boolean')
  active: boolean;

  /** Secret of the authenticator, sealed for `totp`; null: none. */
  @Column('text', { nullable: true })
  totpSealed: string | null;

  /** The last time step that was used: none is used twice. */
  @Column('bigint', { transformer: safeInteger })
  totpStep: number;

  /** Secret that was shown and not confirmed yet, sealed for `totp`. */
  @Column('text', { nullable: true })
  totpPending: string | null;

  /** The password was set by somebody else. */
  @Column('boolean')
  needsOwnPassword: boolean;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;
}
