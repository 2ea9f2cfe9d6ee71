import type { NetworkRow } from '@bourse/contract';

/** The ways coins come and go. The first network of a coin is its default. */
export class Networks {
  constructor(private readonly rows: readonly NetworkRow[]) {}

  all(): readonly NetworkRow[] {
    return this.rows;
  }
  of(currencyId: number): readonly NetworkRow[] {
    return this.rows.filter((row) => row.currencyId === currencyId);
  }
  byId(id: number): NetworkRow | undefined {
    return this.rows.find((row) => row.id === id);
  }
}
