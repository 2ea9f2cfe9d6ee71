import type { Tx } from '@bourse/persistence';
import type { Scene, Sent } from '../../domain/code.js';
import type { CodeRequesters } from '../device.js';
import type { Sql } from './database.js';

/** Result of checking a code. */
export type CodeVerdict =
  | { readonly kind: 'right'; readonly id: string }
  /** `left`: tries left; the same count without a sent code, so that the answer does not reveal it. */
  | { readonly kind: 'wrong'; readonly left: number }
  /** The digits were right, but the code was used or has expired. */
  | { readonly kind: 'expired' };
/** Codes that are sent to a mailbox or a phone and entered by the person. */
export abstract class Codes {
  /** Serialises the changes of one account until the transaction ends. */
  abstract lock(tx: Tx, key: string): Promise<void>;
  /**
   * Serialises the codes for one address, which may be for different accounts. Always after `lock`: two calls that
   * took the two locks in different orders could wait for each other.
   */
  abstract lockAddress(tx: Tx, ip: string): Promise<void>;
  /** `askers`: counts only codes sent to these; null: all. */
  abstract sent(
    tx: Tx,
    nameKey: string,
    scene: Scene,
    from: { readonly ip: string; readonly askers: readonly string[] | null },
    now: number,
  ): Promise<Sent>;
  /** Stores a code and invalidates the earlier ones of the same account, scene and asker. */
  abstract store(
    tx: Tx,
    code: {
      readonly nameKey: string;
      readonly scene: Scene;
      readonly kind: 'email' | 'mobile';
      readonly digits: string;
      readonly ip: string;
      readonly asker: string;
      readonly device: string;
    },
    now: number,
  ): Promise<void>;
  /**
   * Checks the newest code of one of these askers and counts the try; codes of others neither match nor lose a try.
   * Wrong digits get one answer whether there is a code or not: only right digits reveal that a code has expired. Does
   * not use it up. `counts`: which tries are counted.
   */
  abstract verify(
    tx: Tx,
    code: { readonly nameKey: string; readonly scene: Scene; readonly digits: string },
    askers: CodeRequesters,
    now: number,
    counts: 'wrong' | 'all',
  ): Promise<CodeVerdict>;
  /** Uses a verified code up; false when it was used concurrently or has expired. */
  abstract consume(tx: Tx, id: string, now: number): Promise<boolean>;
  /** Account and scene of the last code sent to one of these askers, filtered by kind, name and scene if given. */
  abstract last(
    sql: Sql,
    filter: {
      readonly kind: 'email' | 'mobile';
      readonly nameKey?: string | undefined;
      readonly scene?: Scene | undefined;
      readonly askers: CodeRequesters;
    },
  ): Promise<{ readonly id: number; readonly nameKey: string; readonly scene: Scene } | null>;
}
