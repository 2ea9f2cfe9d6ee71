import type { Tx } from '@bourse/persistence';
import type { Scene, Sent } from '../../domain/code.js';
import type { CodeRequesters } from '../device.js';
import type { Sql } from './database.js';

/** How a code that a person gave was found. */
export type CodeVerdict =
  | { readonly kind: 'right'; readonly id: string }
  /** `left`: tries left; the same count for who was sent no code, so that the answer does not reveal it. */
  | { readonly kind: 'wrong'; readonly left: number }
  /** These were the right digits, of a code that is used, spent or too old. */
  | { readonly kind: 'expired' };
/** Codes that are sent to a mailbox or a phone and given back. */
export abstract class Codes {
  /** Serialises what concerns one account until the transaction ends. */
  abstract lock(tx: Tx, key: string): Promise<void>;
  /** `askers`: counts only what these were sent; null: what anybody was. */
  abstract sent(
    tx: Tx,
    nameKey: string,
    scene: Scene,
    from: { readonly ip: string; readonly askers: readonly string[] | null },
    now: number,
  ): Promise<Sent>;
  /** The new code is the only one of its account, scene and asker that counts from now on. */
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
   * Checks the newest code of one of these askers and counts the try; codes of others are neither right nor spent.
   * Wrong digits get one answer whether there is a code or not: only who knows the digits learns that a code has run
   * out. Does not use it up.
   */
  abstract verify(
    tx: Tx,
    code: { readonly nameKey: string; readonly scene: Scene; readonly digits: string },
    askers: CodeRequesters,
    now: number,
  ): Promise<CodeVerdict>;
  /** Uses a code up that was checked right; false when somebody else was faster or it has run out. */
  abstract consume(tx: Tx, id: string, now: number): Promise<boolean>;
  /**
   * Account and scene of the last code that one of these askers was sent, of a kind, a name and a scene where these are
   * given.
   */
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
