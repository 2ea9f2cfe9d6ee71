import type { QuotationItem } from '@bourse/contract';
import { knownServerNow } from '../../../core/server-time.js';
import { ExportButton } from '../../../parts/export-button.js';
import { positionsFile } from '../api/positions-file.js';

/** Saves all closed positions as a file; with a pair, those of the pair. */
export const PositionsExport = ({ only }: { only: QuotationItem | undefined }) => (
  <ExportButton
    read={() => positionsFile(only)}
    name={() => {
      const day = new Date(knownServerNow()).toISOString().slice(0, 10);
      return `${['positions', only?.symbol.replace('/', '-'), day].filter(Boolean).join('-')}.csv`;
    }}
  />
);
