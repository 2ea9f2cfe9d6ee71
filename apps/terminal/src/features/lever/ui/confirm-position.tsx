import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { atMost, Button, Checkbox, cx, DescriptionList, Dialog, formatBookPrice, grouped, Num } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { previewFacts } from './lever-figures.js';
import type { LeverForm } from './use-lever-ticket.js';

interface Props {
  form: LeverForm;
  pair: QuotationItem;
  skip: boolean;
  /** `skip`: touch orders are to go out without this question from now on. */
  onConfirm: (skip: boolean) => void;
}

/** The order to be sent, in figures. Enter confirms, Escape returns; a market order always takes a confirmation. */
export function ConfirmPosition({ form, pair, skip, onConfirm }: Props) {
  const { t } = useTranslation();
  const [skipNext, setSkipNext] = useState(skip);
  const { ticket, preview, deal } = form;
  const long = ticket.direction === 'long';
  const title = t(long ? 'lever.openLong' : 'lever.openShort');
  const price = (text: string): string => formatBookPrice(toDecimalText(text), pair.price_scale);
  const stop = (id: 'target' | 'stop') =>
    ticket.stopsOn && ticket[id] !== '' ? [{ id, name: t(`lever.${id}`), value: <Num>{price(ticket[id])}</Num> }] : [];
  return (
    <Dialog
      open
      onClose={form.stopAsking}
      title={<span className={cx(long ? 'text-up' : 'text-down')}>{title}</span>}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={form.stopAsking}>{t('common.cancel')}</Button>
          <Button data-autofocus="" kind={long ? 'buy' : 'sell'} onClick={() => onConfirm(skipNext)}>
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
              <span className="inline-flex items-center gap-1">
                <Num>{`${pair.symbol} ${ticket.multiple}×`}</Num>
                <FeedChip feed={pair.feed} />
              </span>
            ),
          },
          {
            id: 'mode',
            name: t('ticket.mode'),
            value: t(ticket.mode === 'std' ? 'lever.std' : 'lever.xtd'),
          },
          ...(ticket.mode === 'xtd'
            ? [
                {
                  id: 'price',
                  name: t('ticket.price'),
                  value: <Num>{`${price(ticket.price)} ${pair.legal_name}`}</Num>,
                },
              ]
            : []),
          {
            id: 'hands',
            name: t('lever.hands'),
            value: <Num>{`${ticket.share} · ${grouped(atMost(preview?.number ?? '0', 8))} ${pair.currency_name}`}</Num>,
          },
          ...previewFacts(t, preview, deal, pair),
          ...stop('target'),
          ...stop('stop'),
        ]}
      />
      {ticket.mode === 'xtd' && (
        <Checkbox
          label={t('confirm.skip')}
          checked={skipNext}
          onChange={(event) => setSkipNext(event.target.checked)}
        />
      )}
    </Dialog>
  );
}
