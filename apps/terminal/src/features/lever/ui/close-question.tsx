import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition } from '@bourse/contract';
import { atMost, Button, Checkbox, DescriptionList, Dialog, formatBookPrice, grouped, Num } from '@bourse/ui';
import { NumberField } from '../../../parts/number-field.js';
import { contractsOf, partOf, readContracts } from '../model/positions.js';
import { Signed } from './signed.js';
import { PositionSide } from './position-side.js';

/** Parts of a position that one press chooses. */
const PERCENTS = [25, 50, 100] as const;

interface Props {
  row: LeverPosition;
  pair: { price_scale: number };
  onClose: () => void;
  /**
   * `skip`: positions are to close without this question from now on; `share`: contracts that close, absent for all.
   */
  onConfirm: (skip: boolean, share?: number) => void;
}

/** Asks before a position is closed. Its expected result follows the mark price while the dialog is open. */
export function CloseQuestion({ row, pair, onClose, onConfirm }: Props) {
  const { t } = useTranslation();
  const [skip, setSkip] = useState(false);
  const [text, setText] = useState(String(row.share));
  const id = useId();
  const read = readContracts(text, row);
  const contracts = 'contracts' in read ? read.contracts : row.share;
  const part = partOf(row, contracts);
  const price = (decimal: string): string => formatBookPrice(decimal, pair.price_scale);
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
          <Button
            kind="danger"
            disabled={'fault' in read}
            onClick={() => onConfirm(skip, contracts < row.share ? contracts : undefined)}
          >
            {t('lever.close')}
          </Button>
        </>
      }
    >
      {row.share > 1 && (
        <div className="grid gap-1">
          <NumberField
            id={id}
            label={t('lever.closeContracts')}
            scale={0}
            value={text}
            onTyped={setText}
            error={'fault' in read ? t(`lever.${read.fault}`, { max: row.share }) : undefined}
          />
          <div className="flex gap-1">
            {PERCENTS.map((percent) => (
              <Button key={percent} size="small" onClick={() => setText(String(contractsOf(row, percent)))}>
                <Num>{`${percent} %`}</Num>
              </Button>
            ))}
          </div>
        </div>
      )}
      <DescriptionList
        facts={[
          {
            id: 'side',
            name: t('orders.side'),
            value: (
              <PositionSide type={row.type}>
                <Num>{row.multiple}×</Num>
              </PositionSide>
            ),
          },
          {
            id: 'hands',
            name: t('lever.hands'),
            value: <Num>{`${contracts} / ${row.share} · ${grouped(atMost(part.number, 8))} ${row.currency}`}</Num>,
          },
          { id: 'open', name: t('lever.openPrice'), value: <Num>{price(row.price)}</Num> },
          { id: 'mark', name: t('lever.mark'), value: <Num>{price(row.update_price)}</Num> },
          { id: 'profit', name: t('lever.expectedResult'), value: <Signed unit={row.legal}>{part.profits}</Signed> },
        ]}
      />
      <Checkbox label={t('lever.skipClose')} checked={skip} onChange={(event) => setSkip(event.target.checked)} />
    </Dialog>
  );
}
