import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { toastError } from '../../../core/toasts.js';
import { statementFile } from '../api/records.js';
import { fileName, filterFields, NO_FILTER, type StatementFilter } from '../model/statement.js';

/** Saves the statement as a file; with a filter, what the filter leaves. */
export function ExportButton({ filter = NO_FILTER }: { filter?: StatementFilter }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await statementFile(api, filterFields(filter)));
      link.download = fileName(filter, new Date().toISOString().slice(0, 10));
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (failure) {
      console.warn('statement not saved', failure);
      toastError(t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" busy={busy} onClick={() => void save()}>
      {t('wallet.export')}
    </Button>
  );
}
