import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { toastError } from '../core/toasts.js';

/** Saves what `read` answers as a file of this name; says when it did not arrive. */
export function ExportButton({ read, name }: { read: () => Promise<Blob>; name: () => string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await read());
      link.download = name();
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (failure) {
      console.warn('file not saved', failure);
      toastError(t('common.loadFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" busy={busy} onClick={() => void save()}>
      {t('common.export')}
    </Button>
  );
}
