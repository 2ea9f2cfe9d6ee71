import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant, safeInteger } from '@bourse/persistence';
import type { ApiKey } from '../../application/ports/api-keys.js';

/** A key by which programs act for a person. */
@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('text')
  key: string;

  @Column('bigint', { transformer: safeInteger })
  userId: number;

  @Column('text')
  label: string;

  /** Sealed for `apikey`. */
  @Column('text')
  secretSealed: string;

  @Column('text', { array: true })
  permissions: ApiKey['permissions'][number][];

  @Column('text', { array: true })
  ips: string[];

  @Column('timestamptz', { transformer: instant })
  createdAt: number;

  @Column('timestamptz', { nullable: true, transformer: instant })
  lastAt: number | null;

  /** Null: the key is valid. */
  @Column('timestamptz', { nullable: true, transformer: instant })
  deletedAt: number | null;
}
