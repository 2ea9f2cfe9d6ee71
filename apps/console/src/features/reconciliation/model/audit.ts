/** The auditors' last round (api §2.12). */
export interface Audit {
  readonly ok: 0 | 1;
  readonly checked_at: string;
  readonly checks: readonly Check[];
  readonly breakers: readonly { readonly scope: string; readonly mode: string }[];
}
export interface Check {
  readonly name: string;
  readonly ok: 0 | 1;
  readonly detail: string;
}

/**
 * What is wrong first, the rest as it was told. `result` narrows to what is right (`1`) or wrong (`0`), `name` to names
 * that it is part of.
 */
export const inOrder = (checks: readonly Check[], result = '', name = ''): readonly Check[] =>
  checks
    .filter((one) => (result === '' || String(one.ok) === result) && one.name.includes(name.trim()))
    .toSorted((one, other) => one.ok - other.ok);
