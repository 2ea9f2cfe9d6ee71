import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition } from '@bourse/contract';
import { atMost, Button, Checkbox, DescriptionList, Dialog, formatBookPrice, grouped, Num } from '@bourse/ui';
import { Signed } from './signed.js';

interface Props {
  row: LeverPosition;
  pair: { price_scale: number };
  onClose: () => void;
  /** `skip`: positions are to close without this question from now on. */
  onConfirm: (skip: boolean) => void;
}

/** Asks before a position is closed. Its expected result follows the mark price while the dialog is open. */
export function CloseQuestion({ row, pair, onClose, onConfirm }: Props) {
  const { t } = useTranslation();
  const [skip, setSkip] = useState(false);
  const price = (text: string): string => formatBookPrice(text, pair.price_scale);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('lever.closeOne', { pair: row.symbol })}
      description={t('lever.closeText')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button data-autofocus="" onClick={onClose}>
            {t('orders.keep')}
          </Button>
          <Button kind="danger" onClick={() => onConfirm(skip)}>
            {t('lever.close')}
          </Button>
        </>
      }
    >
      <DescriptionList
        facts={[
          {
            id: 'side',
            name: t('orders.side'),
            value: (
              <span className={row.type === 1 ? 'text-up' : 'text-down'}>
                {t(row.type === 1 ? 'lever.long' : 'lever.short')} <Num>{row.multiple}×</Num>
              </span>
            ),
          },
          {
            id: 'hands',
            name: t('lever.hands'),
            value: <Num>{`${row.share} · ${grouped(atMost(row.number, 8))} ${row.currency}`}</Num>,
          },
          { id: 'open', name: t('lever.openPrice'), value: <Num>{price(row.price)}</Num> },
          { id: 'mark', name: t('lever.mark'), value: <Num>{price(row.update_price)}</Num> },
          { id: 'profit', name: t('lever.expectedResult'), value: <Signed unit={row.legal}>{row.profits}</Signed> },
        ]}
      />
      <Checkbox label={t('lever.skipClose')} checked={skip} onChange={(event) => setSkip(event.target.checked)} />
    </Dialog>
  );
}
