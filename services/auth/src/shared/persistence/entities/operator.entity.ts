import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import type { OperatorRole } from '../../application/ports/operators.js';

/** An operator of the exchange. Ids are below those of people, so that neither can be taken for the other. */
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

  /** The last time step that was used: no step is accepted twice. */
  @Column('bigint', { transformer: safeInteger })
  totpStep: number;

  /** A secret that was shown and is not confirmed yet, sealed for `totp`. */
  @Column('text', { nullable: true })
  totpPending: string | null;

  /** Another person has set the password. */
  @Column('boolean')
  needsOwnPassword: boolean;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;
}
