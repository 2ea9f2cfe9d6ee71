import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { MicroCurrency, MicroSeconds, QuotationItem } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { atMost, Button, Form, grouped, Segmented, Skeleton } from '@bourse/ui';
import { FormError } from '../../../forms/form-card.js';
import type { MarketBlock } from '../../../market/stream/market-block.js';
import { NumberField } from '../../../parts/number-field.js';
import { ConfirmStake } from './confirm-stake.js';
import { StakeFigures } from './stake-figures.js';
import { useStake } from './use-stake.js';

interface Props {
  pair: QuotationItem;
  blocked: MarketBlock | undefined;
  duration: MicroSeconds | undefined;
  currencies: readonly MicroCurrency[] | undefined;
}

/** Coin, stake, the figures before the press, and the two ways. */
export function StakeForm({ pair, blocked, duration, currencies }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [coin, setCoin] = useState(0);
  const currency = currencies?.find((one) => one.id === coin) ?? currencies?.[0];
  const form = useStake({ pair, duration, currency });
  if (!currencies) return <Skeleton className="m-3 h-90" />;
  const press = (direction: 1 | 2): void => {
    if (form.press(direction)) document.getElementById(id)?.focus();
  };
  const enter = (event: FormEvent): void => event.preventDefault();
  return (
    <Form onSubmit={enter} aria-label={t('micro.ticket')} className="flex flex-col gap-3 p-3">
      <Segmented<string>
        label={t('micro.stakeCoin')}
        value={String(currency?.id ?? '')}
        onChange={(chosen) => setCoin(Number(chosen))}
        choices={currencies.map((one) => ({ value: String(one.id), label: one.name }))}
      />
      <NumberField
        id={id}
        label={t('micro.stake')}
        scale={COIN_SCALE}
        value={form.stake.number}
        error={form.fault && t(form.fault.key, form.fault.params ?? {})}
        onTyped={(text) => form.change({ type: 'number', text })}
        suffix={currency?.name}
        hint={
          form.summary.min !== '' &&
          t('micro.minMax', {
            min: grouped(atMost(form.summary.min, 8)),
            max: grouped(atMost(form.summary.max, 8)),
          })
        }
      />
      <div role="group" aria-label={t('micro.presets')} className="flex flex-wrap gap-1">
        {currency?.micro_numbers.map(({ number }) => (
          <Button
            key={number}
            size="small"
            className="min-w-11 flex-1"
            aria-pressed={form.stake.number === number}
            onClick={() => form.change({ type: 'preset', text: number })}
          >
            {grouped(atMost(number, 8))}
          </Button>
        ))}
      </div>
      <StakeFigures form={form} currency={currency} duration={duration} />
      <div className="grid grid-cols-2 gap-2">
        {([1, 2] as const).map((direction) => (
          <Button
            key={direction}
            kind={direction === 1 ? 'buy' : 'sell'}
            size="main"
            busy={form.sending}
            disabled={blocked !== undefined}
            onClick={() => press(direction)}
          >
            {form.sending && form.stake.type === direction
              ? t('ticket.sending')
              : direction === 1
                ? `${t('micro.up')} ▲`
                : `${t('micro.down')} ▼`}
          </Button>
        ))}
      </div>
      {blocked && (
        <p role="status" className="text-table text-warn">
          {t(`micro.blocked.${blocked}`)}
        </p>
      )}
      <FormError>{form.refusal}</FormError>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-table">
        <Link to="/transferMicro" className="text-accent underline">
          {t('nav.transfer')}
        </Link>
        <Link to="/microInsurance" className="text-accent underline">
          {t('nav.insurance')}
        </Link>
      </p>
      {form.asking && duration && currency && (
        <ConfirmStake form={form} pair={pair} duration={duration} currency={currency} />
      )}
    </Form>
  );
}
