import { useTranslation } from 'react-i18next';
import { Segmented } from '@bourse/ui';
import type { TrailBy } from '../model/ticket.js';
import { TicketNumber, type FieldProps } from './ticket-fields.js';

/** The trail of a trailing stop, in percent or in quote money, and the price that activates it. */
export function TrailFields({ id, form, pair }: FieldProps) {
  const { t } = useTranslation();
  const { ticket, change } = form;
  const quote = pair.legal_name;
  const common = { id, form, pair };
  const inPercent = ticket.trailBy === 'percent';
  return (
    <>
      <Segmented<TrailBy>
        label={t('ticket.trail')}
        value={ticket.trailBy}
        onChange={(trailBy) => change({ type: 'trailBy', trailBy })}
        choices={[
          { value: 'percent', label: '%' },
          { value: 'amount', label: quote },
        ]}
      />
      <TicketNumber {...common} name="trail" label={t('ticket.trail')} unit={inPercent ? '%' : quote} />
      <TicketNumber
        {...common}
        name="activation"
        label={t('ticket.activation')}
        unit={quote}
        hint={t('ticket.activationHint')}
      />
      <p className="text-label text-t2">{t(ticket.side === 'buy' ? 'ticket.trailBuyHint' : 'ticket.trailSellHint')}</p>
    </>
  );
}
