import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { saveFile } from './save-file.js';

/**
 * Saves what `read` answers as a file of this name; says when it did not arrive. `about` names what is saved where a
 * page has more than one such button.
 */
export function ExportButton({
  read,
  name,
  about,
  disabled = false,
}: {
  read: () => Promise<Blob>;
  name: () => string;
  about?: string;
  disabled?: boolean;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await saveFile(read, name(), t('common.loadFailed'));
    setBusy(false);
  };
  return (
    <Button
      size="small"
      busy={busy}
      disabled={disabled}
      {...(about !== undefined && { 'aria-label': `${t('common.export')}: ${about}` })}
      onClick={() => void save()}
    >
      {t('common.export')}
    </Button>
  );
}
