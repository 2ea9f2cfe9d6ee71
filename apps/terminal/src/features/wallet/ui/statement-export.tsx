import { api } from '../../../core/api.js';
import { knownServerNow } from '../../../core/server-time.js';
import { ExportButton } from '../../../parts/export-button.js';
import { statementFile } from '../api/records.js';
import { fileName, filterFields, isSpanReadable, NO_FILTER, type StatementFilter } from '../model/statement.js';

/** Saves the statement as a file; with a filter, what the filter leaves. */
export const StatementExport = ({ filter = NO_FILTER }: { filter?: StatementFilter }) => (
  <ExportButton
    read={() => statementFile(api, filterFields(filter))}
    disabled={!isSpanReadable(filter)}
    name={() => fileName(filter, new Date(knownServerNow()).toISOString().slice(0, 10))}
  />
);
