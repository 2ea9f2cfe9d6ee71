/**
 * A binding to an account of the third party. `asking`: the third party was asked, or is about to be; `crediting`: it
 * said yes, and its balance is on its way into the ledger; `bound`; `voiding`: whatever the third party has done is to
 * be taken back, and then the binding is forgotten.
 */
export type BindingState = 'asking' | 'crediting' | 'bound' | 'voiding';

/** Points are units of POINTS_SCALE. */
export interface Binding {
  /** Names this try for the third party and in the ledger, for ever. */
  readonly reference: string;
  readonly userId: number;
  /** As the person wrote it. */
  readonly userName: string;
  /** As the third party names it, once it has said yes. */
  readonly account: string | null;
  readonly points: bigint;
  readonly free: bigint;
  readonly state: BindingState;
  /** Business time of the credit. */
  readonly boundAt: number | null;
}
