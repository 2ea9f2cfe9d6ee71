import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@bourse/ui';

/** The ticket of a phone, from below. */
export function TicketSheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('common.close')} shape="sheet">
      {children}
    </Dialog>
  );
}
