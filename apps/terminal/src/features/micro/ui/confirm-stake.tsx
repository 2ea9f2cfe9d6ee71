import { useTranslation } from 'react-i18next';
import type { MicroCurrency, MicroSeconds, QuotationItem } from '@bourse/contract';
import { atMost, Button, cx, DescriptionList, Dialog, grouped, Num } from '@bourse/ui';
import { FeedChip } from '../../../parts/feed-chip.js';
import { durationText } from './duration-text.js';
import type { StakeHandle } from './use-stake.js';

/** The contract to be sent, in figures. Enter confirms, Escape returns. */
export function ConfirmStake({
  form: { stake, summary, stopAsking, send },
  pair,
  duration,
  currency,
}: {
  form: StakeHandle;
  pair: QuotationItem;
  duration: MicroSeconds;
  currency: MicroCurrency;
}) {
  const { t } = useTranslation();
  const up = stake.type === 1;
  const money = (text: string, sign = ''): string => `${sign}${grouped(atMost(text, 8))} ${currency.name}`;
  return (
    <Dialog
      open
      onClose={stopAsking}
      title={
        <span className={cx(up ? 'text-up' : 'text-down')}>
          {t(up ? 'micro.up' : 'micro.down')} {up ? '▲' : '▼'}
        </span>
      }
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={stopAsking}>{t('common.cancel')}</Button>
          <Button data-autofocus="" kind={up ? 'buy' : 'sell'} onClick={() => void send()}>
            {t('common.confirm')}
          </Button>
        </>
      }
    >
      <DescriptionList
        facts={[
          {
            id: 'pair',
            name: t('confirm.pair'),
            value: (
              <span className="inline-flex items-center gap-2">
                <Num>{pair.symbol}</Num>
                <FeedChip feed={pair.feed} />
              </span>
            ),
          },
          { id: 'duration', name: t('micro.duration'), value: durationText(t, duration.seconds) },
          { id: 'stake', name: t('micro.stake'), value: <Num>{money(stake.number)}</Num> },
          { id: 'fee', name: t('orders.fee'), value: <Num>{money(summary.fee)}</Num> },
          {
            id: 'win',
            name: `${t('micro.ifWon', { rate: atMost(duration.profit_ratio, 6) })}, ${t('micro.afterFee')}`,
            value: <Num className="text-up">{money(summary.win, '+')}</Num>,
          },
          {
            id: 'lose',
            name: `${t('micro.ifLost')}, ${t('micro.afterFee')}`,
            value: <Num className="text-down">{money(summary.lose, '-')}</Num>,
          },
        ]}
      />
      <p className="text-table text-t2">{t('micro.confirmNote')}</p>
    </Dialog>
  );
}
