import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { saveFile } from '../../parts/save-file.js';

/** Saves what `read` answers under a name. */
export function SaveButton({ read, name, children }: { read: () => Promise<Blob>; name: string; children: string }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await saveFile(read, name, t('common.loadFailed'));
    setBusy(false);
  };
  return (
    <Button size="small" busy={busy} onClick={() => void save()}>
      <Download size={14} aria-hidden />
      {children}
    </Button>
  );
}
