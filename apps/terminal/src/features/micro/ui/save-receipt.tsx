import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import type { ReceiptFile } from '../model/receipt.js';

/** Saves what was shown, as `npx bourse-verify` reads it. */
export function SaveReceipt({ file }: { file: ReceiptFile }) {
  const { t } = useTranslation();
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' }));
    link.download = 'receipt.json';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return <Button onClick={save}>{t('micro.save')}</Button>;
}
