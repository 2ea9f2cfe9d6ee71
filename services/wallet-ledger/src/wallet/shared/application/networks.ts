import type { ChainName, NetworkRow } from '@bourse/contract';

/** A stored network with its version; each change raises it. */
export interface VersionedNetwork extends NetworkRow {
  readonly version: number;
}

/**
 * The current networks for deposits and withdrawals: operators change their figures while the exchange runs
 * (rules §15). The first network of a coin is its default.
 */
export class Networks {
  private rows: readonly VersionedNetwork[];

  /** In the order of display. `inForce` applies this install's overrides to a stored row. */
  constructor(
    rows: readonly (NetworkRow & { readonly version?: number })[],
    private readonly inForce: <R extends NetworkRow>(row: R) => R = (row) => row,
  ) {
    this.rows = rows.map((row) => inForce({ version: 0, ...row }));
  }

  all(): readonly VersionedNetwork[] {
    return this.rows;
  }
  of(currencyId: number): readonly NetworkRow[] {
    return this.rows.filter((row) => row.currencyId === currencyId);
  }
  on(chain: ChainName): readonly NetworkRow[] {
    return this.rows.filter((row) => row.chain === chain);
  }
  byId(id: number): NetworkRow | undefined {
    return this.rows.find((row) => row.id === id);
  }

  /** Takes a changed row; ignores one that is older than the known one. */
  take(changed: VersionedNetwork): void {
    this.rows = this.rows.map((row) =>
      row.id === changed.id && changed.version > row.version ? this.inForce(changed) : row,
    );
  }
}
