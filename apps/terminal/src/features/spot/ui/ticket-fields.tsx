import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Field, Num } from '@bourse/ui';
import { NumberField } from '../../../parts/number-field.js';
import { isMarket, TRAIL_SCALE, type PriceName } from '../model/ticket.js';
import type { SpotTicket } from './use-spot-ticket.js';

export interface FieldProps {
  /** Starts the ids of the form's fields; the name of the field follows. */
  id: string;
  form: SpotTicket;
  pair: QuotationItem;
}
type TypedField = 'price' | 'amount' | 'total' | PriceName;

/** A number of the ticket: shows its own fault, steps by the arrow keys. */
export function TicketNumber({
  id,
  form,
  pair,
  name,
  label,
  unit,
  hint,
  inputRef,
}: FieldProps & {
  name: TypedField;
  label: string;
  unit: string;
  hint?: string;
  inputRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useTranslation();
  const { ticket, fault, change, check } = form;
  const inPercent = name === 'trail' && ticket.trailBy === 'percent';
  const ofPair = name === 'amount' ? pair.number_scale : name === 'total' ? COIN_SCALE : pair.price_scale;
  const scale = inPercent ? TRAIL_SCALE : ofPair;
  const step = (event: KeyboardEvent): void => {
    if (name === 'total' || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    change({ type: 'step', field: name, ticks: (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1) });
  };
  return (
    <NumberField
      id={`${id}-${name}`}
      ref={inputRef}
      compact
      scale={scale}
      label={label}
      hint={hint}
      suffix={<Num>{unit}</Num>}
      value={ticket[name]}
      error={fault?.field === name ? t(fault.key, { ...fault.params }) : undefined}
      onTyped={(text) => change({ type: name, text })}
      onKeyDown={step}
      onBlur={() => {
        if (fault) check();
      }}
    />
  );
}

/** The limit; a market order takes the best there is. */
export function PriceField({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  if (isMarket(form.ticket))
    return <Field compact label={t('ticket.price')} value={t('ticket.best')} readOnly className="opacity-80" />;
  return <TicketNumber id={id} form={form} pair={pair} name="price" label={t('ticket.price')} unit={pair.legal_name} />;
}

export function AmountField({ id, form, pair, inputRef }: FieldProps & { inputRef: Ref<HTMLInputElement> }) {
  const { t } = useTranslation();
  return (
    <TicketNumber
      id={id}
      form={form}
      pair={pair}
      name="amount"
      label={t('ticket.amount')}
      unit={pair.currency_name}
      inputRef={inputRef}
    />
  );
}

export function TotalField({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  return <TicketNumber id={id} form={form} pair={pair} name="total" label={t('ticket.total')} unit={pair.legal_name} />;
}
