import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { atMost, Button, Checkbox, Field, formatBookPrice, grouped, Num, Select } from '@bourse/ui';
import { NumberField } from '../../../parts/number-field.js';
import { useKept } from '../../../prefs/use-kept.js';
import { SIZE_UNITS, sizeScale, type Size, type SizeUnit } from '../model/size.js';
import type { LeverForm } from './use-lever-ticket.js';

interface FieldProps {
  /** Starts the ids of the form's fields; the name of the field follows. */
  id: string;
  form: LeverForm;
  pair: QuotationItem;
}
type Typed = 'price' | 'share' | 'target' | 'stop';

/** A number of the ticket: shows its own fault, steps by the arrow keys. */
function Typing({
  id,
  form,
  pair,
  name,
  label,
  unit,
  sizeUnit,
}: FieldProps & {
  name: Typed;
  label: string;
  unit: ReactNode;
  /** The unit of a size that is not typed in contracts. */
  sizeUnit?: Size['unit'];
}) {
  const { t } = useTranslation();
  const { ticket, fault, change, check } = form;
  const step = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    change({ type: 'step', field: name, ticks: (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1) });
  };
  return (
    <NumberField
      id={`${id}-${name}`}
      compact
      scale={sizeUnit ? sizeScale(sizeUnit, pair.number_scale) : name === 'share' ? 0 : pair.price_scale}
      label={label}
      suffix={typeof unit === 'string' ? <Num>{unit}</Num> : unit}
      value={sizeUnit ? form.sizeIn(sizeUnit) : ticket[name]}
      error={fault?.field === name ? t(fault.key, { ...fault.params }) : undefined}
      onTyped={(text) => change(sizeUnit ? { type: 'size', size: { unit: sizeUnit, text } } : { type: name, text })}
      onKeyDown={step}
      onBlur={() => {
        if (fault) check();
      }}
    />
  );
}

export function MultipleChoice({ form: { ticket, deal, change } }: FieldProps) {
  const { t } = useTranslation();
  const options = (deal?.multiple.muit ?? []).map(({ value }) => ({ value: String(value), label: `${value}×` }));
  return (
    <Select
      hideLabel
      label={t('lever.multiple')}
      value={String(ticket.multiple)}
      options={options.length > 0 ? options : [{ value: '0', label: '…' }]}
      onChange={(value) => change({ type: 'multiple', multiple: Number(value) })}
    />
  );
}

/** The price that the mark must touch, or the mark price itself. */
export function PriceField({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  if (form.ticket.mode === 'xtd')
    return <Typing {...{ id, form, pair }} name="price" label={t('ticket.price')} unit={pair.legal_name} />;
  const mark = form.mark === '' ? '…' : formatBookPrice(form.mark, pair.price_scale);
  return <Field compact numeric readOnly label={t('lever.mark')} value={mark} suffix={<Num>{pair.legal_name}</Num>} />;
}

/** The choice of the unit of the size; the last one is kept. */
function UnitChoice({
  unit,
  pair,
  onChange,
}: {
  unit: SizeUnit;
  pair: QuotationItem;
  onChange: (unit: SizeUnit) => void;
}) {
  const { t } = useTranslation();
  const names = { contracts: t('lever.hands'), base: pair.currency_name, quote: pair.legal_name };
  return (
    <select
      aria-label={t('lever.sizeUnit')}
      value={unit}
      onChange={(event) => onChange(event.target.value as SizeUnit)}
      className="h-7 rounded-chip bg-bg2 text-table text-t2"
    >
      {SIZE_UNITS.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </select>
  );
}

/** The size, typed in contracts, base or quote or by the presets of the server, with the size of one contract below. */
export function HandsField({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const { ticket, deal, change } = form;
  const [kept, setUnit] = useKept<SizeUnit>('lever.sizeUnit', 'contracts');
  const unit = SIZE_UNITS.find((one) => one === kept) ?? 'contracts';
  const choice = <UnitChoice unit={unit} pair={pair} onChange={setUnit} />;
  const unitName = unit === 'base' ? pair.currency_name : pair.legal_name;
  const most = form.mostIn(unit);
  return (
    <div className="flex flex-col gap-1">
      {unit === 'contracts' ? (
        <Typing {...{ id, form, pair }} name="share" label={t('lever.hands')} unit={choice} />
      ) : (
        <Typing {...{ id, form, pair }} name="share" sizeUnit={unit} label={t('lever.size')} unit={choice} />
      )}
      {unit !== 'contracts' && ticket.share !== '' && (
        <p className="flex flex-wrap gap-x-1 text-table">
          <span>
            {t('lever.hands')}: <Num>{`${grouped(ticket.share)} · ${form.number} ${pair.currency_name}`}</Num>
          </span>
          <span className="text-t2">({t('lever.roundedDown')})</span>
        </p>
      )}
      <div className="flex flex-wrap gap-1">
        {deal?.multiple.share.map(({ value }) => (
          <Button key={value} size="small" onClick={() => change({ type: 'share', text: String(value) })}>
            <Num>{value}</Num>
          </Button>
        ))}
      </div>
      <p className="flex flex-wrap justify-between gap-x-2 text-label text-t2">
        <span>
          {t('lever.handOf')}{' '}
          <Num>{`${atMost(deal?.lever_share_num ?? pair.lever_share_num, 8)} ${pair.currency_name}`}</Num>
        </span>
        <span>
          {t('lever.most')}{' '}
          <Num>{most === '' ? '…' : unit === 'contracts' ? grouped(most) : `${grouped(most)} ${unitName}`}</Num>
        </span>
      </p>
    </div>
  );
}

/** Target and stop that hold from the opening on. */
export function StopFields({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const { ticket, change } = form;
  return (
    <>
      <Checkbox
        label={t('lever.stops')}
        checked={ticket.stopsOn}
        onChange={(event) => change({ type: 'stops', on: event.target.checked })}
      />
      {ticket.stopsOn && (
        <>
          <Typing {...{ id, form, pair }} name="target" label={t('lever.target')} unit={pair.legal_name} />
          <Typing {...{ id, form, pair }} name="stop" label={t('lever.stop')} unit={pair.legal_name} />
        </>
      )}
    </>
  );
}
