import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { formatBalance, grouped, Num } from '@bourse/ui';
import type { SpotTicket } from './use-spot-ticket.js';

/** What is there, what it will cost or bring, and the fee. */
export function TicketFigures({
  form: { ticket, summary, available },
  pair: { legal_name: quote, currency_name: base },
}: {
  form: SpotTicket;
  pair: QuotationItem;
}) {
  const { t } = useTranslation();
  const buy = ticket.side === 'buy';
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
      <Line name={t('ticket.available')}>
        {available === undefined ? '…' : formatBalance(available)} {buy ? quote : base}
      </Line>
      {ticket.mode === 'market' && (
        <Line name={t('ticket.estimated')}>{summary.total !== '' && `≈ ${grouped(summary.total)} ${quote}`}</Line>
      )}
      <Line name={t('ticket.fee')}>{summary.fee !== '' && `${grouped(summary.fee)} ${buy ? base : quote}`}</Line>
    </dl>
  );
}

/** A name with its figure; a dash where it cannot be told yet. */
const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-t2">{name}</dt>
    <dd className="text-end">{children === false ? '–' : <Num>{children}</Num>}</dd>
  </>
);
