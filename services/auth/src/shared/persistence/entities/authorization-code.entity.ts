import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';

/** The code by which a signed-in person signs another device in; one per person at a time. */
@Entity('authorization_code')
export class AuthorizationCodeEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  sealed: string;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;

  @Column('timestamptz', { transformer: instant })
  expiresAt: number;

  @Column('timestamptz', { nullable: true, transformer: instant })
  usedAt: number | null;

  /** Beginning of the oldest session that has displayed the code. */
  @Column('timestamptz', { transformer: instant })
  sessionCreatedAt: number;
}
