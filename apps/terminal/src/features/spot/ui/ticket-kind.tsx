import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox, Segmented, Tabs } from '@bourse/ui';
import { lazyScreen } from '@bourse/web';
import { isStop, kindOfTab, TABS, tabOf, TIMES_IN_FORCE, type Tab, type TriggerBy } from '../model/ticket.js';
import { TicketNumber, type FieldProps } from './ticket-fields.js';

const TrailFields = lazyScreen(async () => ({ default: (await import('./trail-fields.js')).TrailFields }));

/**
 * Chooses the kind of order; for a stop also its trigger and the order that it places, for a trailing stop its trail.
 */
export function TicketKindChoice({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const { ticket, change } = form;
  return (
    <>
      <Tabs<Tab>
        look="pill"
        label={t('ticket.mode')}
        value={tabOf(ticket)}
        onChange={(tab) => change({ type: 'kind', kind: kindOfTab(tab, ticket) })}
        tabs={TABS.map((tab) => ({ id: tab, label: t(`ticket.${tab}`) }))}
      />
      <Suspense>{ticket.kind === 'trailing_stop' && <TrailFields id={id} form={form} pair={pair} />}</Suspense>
      {isStop(ticket) && (
        <>
          {form.hasMark && (
            <Segmented<TriggerBy>
              label={t('ticket.triggerBy')}
              value={ticket.triggerBy}
              onChange={(triggerBy) => change({ type: 'triggerBy', triggerBy })}
              choices={[
                { value: 'last', label: t('ticket.byLast') },
                { value: 'mark', label: t('ticket.byMark') },
              ]}
            />
          )}
          <StopPriceField id={id} form={form} pair={pair} />
          <Segmented
            label={t('ticket.thenOrder')}
            value={ticket.kind}
            onChange={(kind) => change({ type: 'kind', kind })}
            choices={(['stop_limit', 'stop_market'] as const).map((kind) => ({
              value: kind,
              label: t(`orders.kind.${kind}`),
            }))}
          />
        </>
      )}
    </>
  );
}

/** Chooses the time in force of a limit, and whether it is post-only. */
export function TimeInForceChoice({ form: { ticket, change } }: Pick<FieldProps, 'form'>) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Segmented
        label={t('ticket.timeInForce')}
        value={ticket.timeInForce}
        onChange={(timeInForce) => change({ type: 'timeInForce', timeInForce })}
        choices={TIMES_IN_FORCE.map((one) => ({ value: one, label: one, spoken: t(`ticket.tif.${one}`) }))}
      />
      <Checkbox
        label={<span title={t('ticket.postOnlyHint')}>{t('ticket.postOnly')}</span>}
        checked={ticket.postOnly}
        onChange={({ target }) => change({ type: 'postOnly', on: target.checked })}
      />
      {ticket.timeInForce !== 'GTC' && (
        <p className="basis-full text-label text-t2">{t(`ticket.tif.${ticket.timeInForce}`)}</p>
      )}
    </div>
  );
}

/** The trigger of a stop. */
function StopPriceField(field: FieldProps) {
  const { t } = useTranslation();
  const { ticket } = field.form;
  const by = isStop(ticket) && ticket.triggerBy === 'mark' ? 'mark' : 'stop';
  return (
    <TicketNumber
      {...field}
      name="stopPrice"
      label={t('ticket.stopPrice')}
      unit={field.pair.legal_name}
      hint={t(ticket.side === 'buy' ? `ticket.${by}BuyHint` : `ticket.${by}SellHint`)}
    />
  );
}

/** The stop leg of a pair: its trigger, and its limit. */
export function StopLegFields(field: FieldProps) {
  const { t } = useTranslation();
  return (
    <>
      <StopPriceField {...field} />
      <TicketNumber
        {...field}
        name="stopLimit"
        label={t('ticket.stopLimit')}
        unit={field.pair.legal_name}
        hint={t('ticket.stopLimitHint')}
      />
      <p className="text-label text-t2">{t('ticket.ocoHint')}</p>
    </>
  );
}

/** Take profit and stop loss, which are placed when the order is done. */
export function ExitFields({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const { ticket, change } = form;
  const common = { id, form, pair, unit: pair.legal_name };
  return (
    <>
      <Checkbox
        label={t('ticket.exits')}
        checked={ticket.exitsOn}
        onChange={({ target }) => change({ type: 'exits', on: target.checked })}
      />
      {ticket.exitsOn && (
        <>
          <TicketNumber {...common} name="takeProfit" label={t('ticket.takeProfit')} />
          <TicketNumber {...common} name="stopLoss" label={t('ticket.stopLoss')} />
          <p className="text-label text-t2">{t('ticket.exitsHint')}</p>
        </>
      )}
    </>
  );
}
