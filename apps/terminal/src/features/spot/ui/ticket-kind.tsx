import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox, Tabs } from '@bourse/ui';
import type { Mode } from '../model/ticket.js';
import { TicketNumber, type FieldProps } from './ticket-fields.js';

/** Limit or market, and under the advanced switch the stop. */
export function TicketKindChoice({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const [advanced, setAdvanced] = useState(false);
  const { ticket, change } = form;
  const advance = (on: boolean): void => {
    setAdvanced(on);
    if (!on) change({ type: 'stop', on: false });
  };
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <Tabs<Mode>
          look="pill"
          label={t('ticket.mode')}
          value={ticket.mode}
          onChange={(mode) => change({ type: 'mode', mode })}
          tabs={[
            { id: 'limit', label: t('ticket.limit') },
            { id: 'market', label: t('ticket.market') },
          ]}
        />
        <Checkbox label={t('ticket.advanced')} checked={advanced} onChange={(event) => advance(event.target.checked)} />
      </div>
      {advanced && (
        <Checkbox
          label={t('ticket.stop')}
          checked={ticket.stopOn}
          onChange={(event) => change({ type: 'stop', on: event.target.checked })}
        />
      )}
      {advanced && ticket.stopOn && (
        <TicketNumber
          id={id}
          form={form}
          pair={pair}
          name="stopPrice"
          label={t('ticket.stopPrice')}
          unit={pair.legal_name}
          hint={t(ticket.side === 'buy' ? 'ticket.stopBuyHint' : 'ticket.stopSellHint')}
        />
      )}
    </>
  );
}
