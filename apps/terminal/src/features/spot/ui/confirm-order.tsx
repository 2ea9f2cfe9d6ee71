import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button, Checkbox, cx, Dialog, formatBookPrice, formatChange, grouped, Num } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { hasExits, isLimit, isMarket, isStop, tabOf, type Ticket, type TicketSummary } from '../model/ticket.js';

interface Props {
  onClose: () => void;
  /** `skip`: limit orders are to go out without this question from now on. */
  onConfirm: (skip: boolean) => void;
  ticket: Ticket;
  summary: TicketSummary;
  pair: QuotationItem;
  skip: boolean;
}

/**
 * The order to be sent, in figures. Enter confirms, Escape returns. A far price or a moving market is spelled out and
 * cannot be skipped. What was ticked counts once it is confirmed.
 */
export function ConfirmOrder({ onClose, onConfirm, ticket, summary, pair, skip }: Props) {
  const { t } = useTranslation();
  const [skipNext, setSkipNext] = useState(skip);
  const buy = ticket.side === 'buy';
  const [isPair, isTrailing] = [ticket.kind === 'oco', ticket.kind === 'trailing_stop'];
  const priceOf = (typed: string): string =>
    `${formatBookPrice(toDecimalText(typed), pair.price_scale)} ${pair.legal_name}`;
  const priceRow = (key: string, typed: string): [string, string][] => (typed === '' ? [] : [[key, priceOf(typed)]]);
  const rows: [string, string][] = [
    ['confirm.pair', pair.symbol],
    ...(isPair || isTrailing ? ([['ticket.mode', t(`ticket.${tabOf(ticket)}`)]] as [string, string][]) : []),
    ...(isTrailing
      ? ([
          ['ticket.trail', ticket.trailBy === 'amount' ? priceOf(ticket.trail) : `${toDecimalText(ticket.trail)} %`],
          ...priceRow('ticket.activation', ticket.activation),
        ] as [string, string][])
      : []),
    ...(isStop(ticket) ? priceRow('ticket.stopPrice', ticket.stopPrice) : []),
    ...(isStop(ticket) && ticket.triggerBy === 'mark'
      ? [['ticket.triggerBy', t('ticket.byMark')] as [string, string]]
      : []),
    [
      'ticket.price',
      isMarket(ticket) ? t('ticket.best') : `${formatBookPrice(summary.price, pair.price_scale)} ${pair.legal_name}`,
    ],
    ...(isPair
      ? ([
          ...priceRow('ticket.stopPrice', ticket.stopPrice),
          ['ticket.stopLimit', ticket.stopLimit === '' ? t('ticket.best') : priceOf(ticket.stopLimit)],
        ] as [string, string][])
      : []),
    ...(hasExits(ticket)
      ? [...priceRow('ticket.takeProfit', ticket.takeProfit), ...priceRow('ticket.stopLoss', ticket.stopLoss)]
      : []),
    ['ticket.amount', `${grouped(toDecimalText(ticket.amount))} ${pair.currency_name}`],
    [
      'ticket.total',
      summary.total === '' ? '–' : `${isMarket(ticket) ? '≈ ' : ''}${grouped(summary.total)} ${pair.legal_name}`,
    ],
    ...(ticket.kind === 'market' && summary.meanPrice !== ''
      ? ([
          ['ticket.meanPrice', `${formatBookPrice(summary.meanPrice, pair.price_scale)} ${pair.legal_name}`],
          ['ticket.worstPrice', `${formatBookPrice(summary.price, pair.price_scale)} ${pair.legal_name}`],
          ['ticket.slippage', formatChange(summary.gapPercent)],
        ] as [string, string][])
      : []),
    ...(isLimit(ticket) && (ticket.timeInForce !== 'GTC' || ticket.postOnly)
      ? [['ticket.timeInForce', ticket.postOnly ? t('ticket.postOnly') : ticket.timeInForce] as [string, string]]
      : []),
    ['ticket.fee', summary.fee === '' ? '–' : `${grouped(summary.fee)} ${buy ? pair.currency_name : pair.legal_name}`],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <span className={cx(buy ? 'text-up' : 'text-down')}>
          {t(buy ? 'confirm.buy' : 'confirm.sell', { coin: pair.currency_name })}
        </span>
      }
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button data-autofocus="" kind={buy ? 'buy' : 'sell'} onClick={() => onConfirm(skipNext)}>
            {t('common.confirm')}
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {rows.map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="text-t2">{t(key)}</dt>
            <dd className="text-end">
              <Num>{value}</Num>
            </dd>
          </div>
        ))}
      </dl>
      {(summary.mustConfirm === 'farPrice' || summary.mustConfirm === 'movesPrice') && (
        <p role="alert" className="rounded-panel border border-warn p-3 text-warn">
          {t(`confirm.${summary.mustConfirm}`, { percent: summary.gapPercent })}
        </p>
      )}
      {isTrailing && <p className="text-table text-t2">{t(buy ? 'ticket.trailBuyHint' : 'ticket.trailSellHint')}</p>}
      {(isPair || hasExits(ticket)) && (
        <p className="text-table text-t2">
          {isPair ? t('ticket.ocoHint') : `${t('ticket.exits')}: ${t('ticket.exitsHint')}`}
        </p>
      )}
      {isLimit(ticket) && (
        <Checkbox
          label={t('confirm.skip')}
          checked={skipNext}
          onChange={(event) => setSkipNext(event.target.checked)}
        />
      )}
    </Dialog>
  );
}
