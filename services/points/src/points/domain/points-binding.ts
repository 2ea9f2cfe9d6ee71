/**
 * A binding to an account of the third party. `asking`: the third party was called, or is about to be; `crediting`: it
 * has accepted, and its balance is under way into the ledger; `bound`; `voiding`: any effect at the third party is to
 * be released, and then the binding is deleted.
 */
export type BindingState = 'asking' | 'crediting' | 'bound' | 'voiding';

/** Points are units of POINTS_SCALE. */
export interface Binding {
  /** Names this try for the third party and in the ledger, for ever. */
  readonly reference: string;
  readonly userId: number;
  /** As the person wrote it. */
  readonly userName: string;
  /** The third party's name of the account, once it has accepted. */
  readonly account: string | null;
  readonly points: bigint;
  readonly free: bigint;
  readonly state: BindingState;
  /** Business time of the credit. */
  readonly boundAt: number | null;
}
