import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Language, Preferences, ReferenceCurrency } from '@bourse/contract';
import { instant, safeInteger } from '@bourse/persistence';
import type { Person } from '../../application/ports/people.js';

/** A person. Sealed texts are opened in the repositories, because a seal is bound to the id of its row. */
@Entity('account')
export class AccountEntity {
  @PrimaryColumn('bigint', { transformer: safeInteger })
  id: number;

  @Column('text')
  email: string;

  /** The e-mail address as typed, in lower case; unique. */
  @Column('text', { nullable: true })
  emailKey: string | null;

  /** The same for all spellings of the address; null: not filled yet. `emailShared`: older accounts share it. */
  @Column('text', { nullable: true })
  emailForm: string | null;

  @Column('boolean')
  emailShared: boolean;

  @Column('text')
  phone: string;

  @Column('text')
  areaCode: string;

  /** Area code and number as typed. */
  @Column('text', { nullable: true })
  phoneKey: string | null;

  /** The same for all spellings of the number; null and `phoneShared` as for the e-mail. */
  @Column('text', { nullable: true })
  phoneForm: string | null;

  @Column('boolean')
  phoneShared: boolean;

  @Column('text')
  passwordHash: string;

  @Column('boolean')
  canSignIn: boolean;

  /**
   * `hints` are hashes, with this salt, of the parts of the login password that could be fund passwords (rules §8.6).
   */
  @Column('text')
  hintSalt: string;

  @Column('text', { array: true })
  hints: string[];

  @Column('text', { nullable: true })
  fundHash: string | null;

  @Column('boolean')
  fundMustReset: boolean;

  @Column('text')
  lang: Language;

  @Column('text')
  currency: ReferenceCurrency | '';

  @Column('jsonb')
  preferences: Preferences;

  @Column('text')
  nationality: string;

  @Column('text')
  accountNumber: string;

  @Column('text')
  extensionCode: string;

  @Column('bigint', { nullable: true, transformer: safeInteger })
  inviterId: number | null;

  @Column('smallint')
  reviewStatus: Person['reviewStatus'];

  @Column('text')
  reviewReason: string;

  /** In the clear, from an earlier release; empty once it is sealed. */
  @Column('text')
  name: string;

  @Column('text')
  nameSealed: string;

  /** Keyed hashes of the name and of its words, to search by. */
  @Column('text', { array: true })
  nameMarks: string[];

  /** In the clear, from an earlier release; empty once it is sealed. */
  @Column('text')
  cardId: string;

  @Column('text')
  cardSealed: string;

  /** Keyed hash of the id number, by which accounts with the same one are found. */
  @Column('text')
  cardMark: string;

  @Column('text')
  frozen: Person['frozen'];

  @Column('boolean')
  isSeller: boolean;

  @Column('boolean')
  isAcceptor: boolean;

  @Column('text')
  region: string;

  @Column('boolean')
  inPoints: boolean;

  @Column('text', { nullable: true })
  totpSealed: string | null;

  @Column('bigint', { transformer: safeInteger })
  totpStep: number;

  @Column('text', { nullable: true })
  totpPending: string | null;

  @Column('text', { nullable: true })
  phishingSealed: string | null;

  @Column('timestamptz', { nullable: true, transformer: instant })
  withdrawalsBlockedUntil: number | null;

  /** Written by the statements that begin a block or a freeze, and read with a session. */
  @Column('timestamptz', { nullable: true, transformer: instant })
  withdrawalsBlockedSince: number | null;

  @Column('timestamptz', { nullable: true, transformer: instant })
  frozenSince: number | null;

  @Column('timestamptz', { nullable: true, transformer: instant })
  emailBoundAt: number | null;

  @Column('timestamptz', { nullable: true, transformer: instant })
  phoneBoundAt: number | null;

  /** Whether the registration, and the certificate, were published to the other services (PeopleFacts). */
  @Column('boolean')
  registeredTold: boolean;

  @Column('boolean')
  certifiedTold: boolean;

  @Column('timestamptz', { transformer: instant })
  createdAt: number;
}
