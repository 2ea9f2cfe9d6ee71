import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { Deal } from '@bourse/contract';
import { Badge, localTime, Num, Table } from '@bourse/ui';
import { LinkButton } from '../../parts/link-button.js';
import { otherName, turnOf } from '../model/deal.js';
import { Coins, Fiat, StateBadge } from './words.js';

/** The address of the page of a deal. */
export const dealAddress = (id: string): string => `/c2cDetail?id=${id}`;

/** Deals as rows, each a way to its page; what waits for the person is marked. */
export function DealTable({
  label,
  rows,
  empty,
  footer,
}: {
  label: string;
  rows: readonly Deal[] | undefined;
  empty: ReactNode;
  footer?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Table
      label={label}
      rows={rows}
      rowKey={(deal) => deal.id}
      empty={empty}
      footer={footer}
      columns={[
        {
          id: 'what',
          header: t('deals.deal'),
          card: 'title',
          className: 'py-2 card-whole',
          cell: (deal) => <What deal={deal} />,
        },
        {
          id: 'money',
          header: t('deals.money'),
          end: true,
          cell: (deal) => <Fiat amount={deal.deal_money} coin={deal.coin_code} />,
        },
        {
          id: 'price',
          header: t('deals.price'),
          end: true,
          priority: 'wide',
          cell: (deal) => <Fiat amount={deal.price} coin={deal.coin_code} />,
        },
        { id: 'other', header: t('deals.other'), cell: (deal) => <bdi>{otherName(deal)}</bdi> },
        { id: 'state', header: t('deals.stateName'), cell: (deal) => <StateBadge deal={deal} /> },
        {
          id: 'time',
          header: t('deals.time'),
          priority: 'wide',
          cell: (deal) => (
            <time dateTime={new Date(deal.create_time * 1_000).toISOString()} title={`${deal.format_create_time} UTC`}>
              <Num>{localTime(deal.create_time * 1_000)}</Num>
            </time>
          ),
        },
        {
          id: 'open',
          header: <span className="sr-only">{t('deals.acts')}</span>,
          sticky: true,
          className: 'card-whole py-1',
          end: true,
          cell: (deal) => <Open deal={deal} />,
        },
      ]}
    />
  );
}

function What({ deal }: { deal: Deal }) {
  const { t } = useTranslation();
  const buys = deal.role === 'buyer';
  return (
    <span className="flex flex-wrap items-center gap-2 font-medium">
      <span className={buys ? 'text-up' : 'text-down'}>{t(`deals.side.${buys ? 'buy' : 'sell'}`)}</span>
      <Coins amount={deal.number} coin={deal.currency_name} />
      {turnOf(deal) === 'you' && <Badge tone="accent">{t('deals.yourTurn')}</Badge>}
      {deal.unread > 0 && (
        <Badge tone="down">
          <Num>{deal.unread}</Num>
          <span className="ms-1">{t('deals.unread')}</span>
        </Badge>
      )}
    </span>
  );
}

function Open({ deal }: { deal: Deal }) {
  const { t } = useTranslation();
  return (
    <LinkButton to={dealAddress(deal.id)} kind={turnOf(deal) === 'you' ? 'primary' : 'secondary'}>
      {t('deals.open')}
      <span className="sr-only">
        {' '}
        <Num>{deal.id}</Num>
      </span>
    </LinkButton>
  );
}
