import { useTranslation } from 'react-i18next';
import type { CoinBalance, Product } from '@bourse/contract';
import { Button, Dialog } from '@bourse/ui';
import { TransferFields, TransferQuestion } from './transfer-fields.js';
import { useTransfer } from './use-transfer.js';

/** Moves a coin between two of its accounts, over the list it was opened from. */
export function TransferDialog({
  coins,
  currency,
  from,
  onClose,
}: {
  coins: readonly CoinBalance[];
  currency: number;
  from: Product;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const form = useTransfer(coins, { currency, from }, onClose);
  if (!form.coin) return null;
  if (form.asking) return <TransferQuestion form={form} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('wallet.transferTitle')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" onClick={form.ask}>
            {t('wallet.transferButton')}
          </Button>
        </>
      }
    >
      <TransferFields form={form} />
    </Dialog>
  );
}
