import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PasskeyTransport } from '@bourse/contract';
import { instant, safeInteger } from '@bourse/persistence';

/** The public key of a credential by which a person signs in. */
@Entity('passkey')
export class PasskeyEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  publicKey: string;

  @Column('bigint', { transformer: safeInteger })
  counter: number;

  @Column('text', { array: true })
  transports: PasskeyTransport[];

  @Column('text')
  label: string;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;

  @Column('timestamptz', { nullable: true, transformer: instant })
  lastAt: number | null;
}
