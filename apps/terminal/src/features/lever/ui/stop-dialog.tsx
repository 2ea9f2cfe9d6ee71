import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition } from '@bourse/contract';
import { Button, Dialog, formatBookPrice, grouped, Num } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone, useSubmission } from '@bourse/web';
import { Figure } from '../../../parts/figure.js';
import { NumberField } from '../../../parts/number-field.js';
import { setStops } from '../api/lever.js';
import { stepPrice } from '../model/lever-ticket.js';
import { expected, stopsFault } from '../model/positions.js';
import { liquidationText } from './lever-figures.js';
import { Signed } from './signed.js';

/** One step of the box (rules §16), in ticks of the pair. */
const stepTicks = (scale: number): bigint => (scale <= 2 ? 1n : 10n ** BigInt(scale - 2));
const shownStop = (text: string): string => (/[1-9]/.test(text) ? text : '');

interface Props {
  row: LeverPosition;
  pair: { price_scale: number; number_scale: number };
  /** The price at which a line was dropped. */
  start?: { target?: string; stop?: string } | undefined;
  onClose: () => void;
}

/** Target and stop of a position, by typing or in steps, with the profit and the loss that they mean. */
export function StopDialog({ row, pair, start, onClose }: Props) {
  const { t } = useTranslation();
  const [texts, setTexts] = useState({
    target: shownStop(start?.target ?? row.target_profit_price),
    stop: shownStop(start?.stop ?? row.stop_loss_price),
  });
  const [pressed, setPressed] = useState(false);
  const { busy, refusal, run, clear } = useSubmission('lever.noAnswer');
  const sent = { target: toDecimalText(texts.target), stop: toDecimalText(texts.stop) };
  const fault = pressed ? stopsFault(row, sent, pair) : null;
  const change = (next: Partial<typeof texts>): void => {
    setTexts({ ...texts, ...next });
    setPressed(false);
    clear();
  };
  const send = async (): Promise<void> => {
    setPressed(true);
    if (stopsFault(row, sent, pair) !== null) return;
    const taken = await run(async (intent) => toastDone(await setStops(row, sent, intent)), sent);
    if (taken) onClose();
  };
  const price = (text: string): string => formatBookPrice(text, pair.price_scale);
  const field = (which: 'target' | 'stop') => {
    const step = (ticks: bigint): void => {
      const by = ticks * stepTicks(pair.price_scale);
      change({ [which]: stepPrice(texts[which], row.update_price, by, pair.price_scale) });
    };
    const value = expected(which, row, sent[which], pair);
    return (
      <div className="flex flex-col gap-1">
        <div className="flex items-end gap-1">
          <div className="min-w-0 flex-1">
            <NumberField
              label={t(`lever.${which}`)}
              scale={pair.price_scale}
              value={texts[which]}
              suffix={<Num>{row.legal}</Num>}
              onTyped={(text) => change({ [which]: text })}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
                event.preventDefault();
                step((event.key === 'ArrowUp' ? 1n : -1n) * (event.shiftKey ? 10n : 1n));
              }}
            />
          </div>
          <Button aria-label={`${t(`lever.${which}`)}: ${t('lever.less')}`} onClick={() => step(-1n)}>
            <Minus size={16} aria-hidden />
          </Button>
          <Button aria-label={`${t(`lever.${which}`)}: ${t('lever.more')}`} onClick={() => step(1n)}>
            <Plus size={16} aria-hidden />
          </Button>
        </div>
        <span className="flex justify-between text-table text-t2">
          {t(which === 'target' ? 'lever.expectedProfit' : 'lever.expectedLoss')}
          <Num>{value === '' ? '–' : `${grouped(value)} ${row.legal}`}</Num>
        </span>
      </div>
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('lever.setStopsOf', { pair: row.symbol })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {t('common.confirm')}
          </Button>
        </>
      }
    >
      <dl className="flex flex-col gap-1">
        <Figure name={t('lever.openPrice')}>
          <Num>{price(row.price)}</Num>
        </Figure>
        <Figure name={t('lever.mark')}>
          <Num>{price(row.update_price)}</Num>
        </Figure>
        <Figure name={t('lever.liquidation')}>
          <Num>{liquidationText(t, row.liquidation_price, pair.price_scale)}</Num>
        </Figure>
        <Figure name={t('lever.profit')}>
          <Signed unit={row.legal}>{row.profits}</Signed>
        </Figure>
      </dl>
      {field('target')}
      {field('stop')}
      <p className="text-label text-t2">{t('lever.stopsHint')}</p>
      {(fault ?? refusal) && (
        <p role="alert" className="text-table text-down">
          {fault === 'side'
            ? t('lever.stopSide')
            : fault === 'beyond_liquidation'
              ? t('lever.stopBeyond', { limit: price(row.liquidation_price) })
              : refusal}
        </p>
      )}
    </Dialog>
  );
}
