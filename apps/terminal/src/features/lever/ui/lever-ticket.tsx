import { useId, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button, cx, Form, PercentSlider, Tabs } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import type { BookPick } from '../../../market/book/ladder-rows.js';
import type { MarketBlock } from '../../../market/stream/market-block.js';
import { useNoPrice } from '../../../market/stream/recorded-prices.js';
import { GuestPrompt } from '../../../parts/guest-prompt.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { shareOf } from '../../../core/ticket/share-of.js';
import { useKept } from '../../../prefs/use-kept.js';
import type { useBoard } from '../api/lever.js';
import type { LeverMode } from '../model/lever-ticket.js';
import { ConfirmPosition } from './confirm-position.js';
import { HandsField, MultipleChoice, PriceField, StopFields } from './lever-fields.js';
import { LeverFigures } from './lever-figures.js';
import { useLeverTicket, type SidePick } from './use-lever-ticket.js';

export interface LeverTicketProps {
  pair: QuotationItem;
  /** Open positions of the quote. */
  list: ReturnType<typeof useBoard>;
  pick: BookPick | undefined;
  side: SidePick | undefined;
  blocked: MarketBlock | undefined;
  onPlaced: () => void;
}

/** The ticket of a leverage order; guests see the ways in. */
export function LeverTicketPanel(props: LeverTicketProps) {
  return useSignedIn() ? <LeverOrder key={props.pair.symbol} {...props} /> : <GuestPrompt />;
}

function LeverOrder({ pair, list, pick, side, blocked, onPlaced }: LeverTicketProps) {
  const { t } = useTranslation();
  const id = useId();
  const [skipConfirm, setSkipConfirm] = useKept('lever.skipConfirm', false);
  const form = useLeverTicket({ pair, list, pick, side, skipConfirm, onPlaced });
  const { ticket, change, stale } = form;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const fault = form.press();
    if (fault) document.getElementById(`${id}-${fault.field}`)?.focus();
  };
  const long = ticket.direction === 'long';
  // A position opens at the recorded price: without a fresh one none opens, whatever the last trade is.
  const noPrice = useNoPrice(pair.id, useServerClock());
  const rests = blocked ?? (stale || noPrice ? 'stale' : undefined);
  const field = { id, form, pair };
  return (
    <Form onSubmit={submit} aria-label={t('lever.form', { pair: pair.symbol })} className="flex flex-col gap-3 p-3">
      <Tabs<'long' | 'short'>
        label={t('lever.side')}
        value={ticket.direction}
        onChange={(next) => change({ type: 'direction', direction: next })}
        tabs={[
          { id: 'long', label: <span className={cx(long && 'text-up')}>{t('lever.long')}</span> },
          { id: 'short', label: <span className={cx(!long && 'text-down')}>{t('lever.short')}</span> },
        ]}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Tabs<LeverMode>
          look="pill"
          label={t('ticket.mode')}
          value={ticket.mode}
          onChange={(mode) => change({ type: 'mode', mode })}
          tabs={[
            { id: 'std', label: t('lever.std') },
            { id: 'xtd', label: t('lever.xtd') },
          ]}
        />
        <MultipleChoice {...field} />
      </div>
      <PriceField {...field} />
      <HandsField {...field} />
      <PercentSlider
        label={t('lever.percent')}
        value={ticket.percent || shareOf(ticket.share, form.maxShare.toString())}
        tone={long ? 'up' : 'down'}
        disabled={form.maxShare === 0n}
        onChange={(percent) => change({ type: 'percent', percent, maxShare: form.maxShare })}
      />
      <StopFields {...field} />
      <LeverFigures form={form} pair={pair} />
      {/* Without the terms of the account the form would refuse a leverage that it has not offered yet. */}
      <Button
        type="submit"
        kind={long ? 'buy' : 'sell'}
        size="main"
        busy={form.sending}
        disabled={rests !== undefined || form.deal === undefined}
      >
        {form.sending ? t('ticket.sending') : t(long ? 'lever.openLong' : 'lever.openShort')}
      </Button>
      {rests !== undefined && (
        <p role="status" className="text-table text-warn">
          {rests === 'stale' ? t('lever.stale') : t(`ticket.blocked.${rests}`)}
        </p>
      )}
      {form.refusal && (
        <p role="alert" className="text-table text-down">
          {form.refusal}
        </p>
      )}
      {skipConfirm && ticket.mode === 'xtd' && (
        <p className="flex flex-wrap items-center gap-x-2 text-label text-t2">
          {t('confirm.skipped')}
          <Button kind="quiet" size="small" onClick={() => setSkipConfirm(false)}>
            {t('confirm.askAgain')}
          </Button>
        </p>
      )}
      {form.asking && (
        <ConfirmPosition
          form={form}
          pair={pair}
          skip={skipConfirm}
          onConfirm={(skip) => {
            setSkipConfirm(skip);
            void form.send();
          }}
        />
      )}
    </Form>
  );
}
