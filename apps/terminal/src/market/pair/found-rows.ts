import type { ReactNode } from 'react';

/** A row that the search of markets finds besides the pairs. */
export interface FoundRow {
  readonly id: string;
  readonly content: ReactNode;
  /** Runs when the row is chosen. */
  readonly run: () => void;
  /** A second button of the row. */
  readonly action?: { readonly text: string; readonly label: string; readonly run: () => void };
}

/** A list that the search of markets looks through besides the pairs. */
export interface FoundList {
  readonly heading: string;
  readonly rowsFor: (search: string) => readonly FoundRow[];
}
