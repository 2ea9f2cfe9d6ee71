/** A journal as operators read it (api §2.12). */
export interface Journal {
  readonly id: string;
  readonly time: string;
  readonly cause_type: string;
  readonly cause_id: string;
  readonly legs: readonly Leg[];
}
export interface Leg {
  /** Number of a person, or `house`. */
  readonly owner: string;
  readonly account: string;
  readonly state: 'available' | 'held';
  readonly currency: string;
  /** Signed decimal text. */
  readonly amount: string;
}
