import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button, Dialog } from '@bourse/ui';
import { useCancelAll } from './use-cancel.js';

/** The question before all open orders are cancelled, or those of one pair; a yes cancels them. */
export function CancelAllQuestion({ pair, onClose }: { pair?: QuotationItem | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const cancelAll = useCancelAll();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('orders.cancelAll')}
      description={pair ? t('orders.cancelAllPair', { pair: pair.symbol }) : t('orders.cancelAllText')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('orders.keep')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              void cancelAll(pair);
            }}
          >
            {t('orders.cancelAll')}
          </Button>
        </>
      }
    />
  );
}
