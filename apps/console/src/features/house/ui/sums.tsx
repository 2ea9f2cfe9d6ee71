import { useTranslation } from 'react-i18next';
import { Alert, Badge, fixed, grouped, NO_NUMBER, Skeleton, Stat, Table } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { Money } from '../../../parts/money.js';
import { isEven } from '../model/house.js';

/** Dollars by index prices are an estimate, so cents are enough. */
const cutToCents = (dollars: string): string => fixed(dollars, 2);
const SUMS = ['assets', 'liabilities', 'own'] as const;

/** Assets, liabilities and own money of the exchange: in US dollars together, and by coin. */
export function Sums() {
  const { t } = useTranslation();
  const { data, isError, error, refetch } = useAdminQuery('/api/admin/house/sums', {}, { everyMs: 30_000 });
  if (!data && isError) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40 w-full" />;
  return (
    <Section title={t('console.house.sums')}>
      <div className="flex flex-wrap gap-x-12 gap-y-4">
        {SUMS.map((name) => (
          <Stat key={name} label={t(`console.house.${name}`)} value={grouped(cutToCents(data.usd[name]))} unit="USD" />
        ))}
      </div>
      {data.unpriced.length > 0 && (
        <Alert tone="warn">{t('console.house.unpriced', { coins: data.unpriced.join(', ') })}</Alert>
      )}
      <Table
        label={t('console.people.tableOf', { of: t('console.house.sums') })}
        rows={data.coins}
        rowKey={({ currency }) => currency}
        empty={t('list.empty')}
        columns={[
          { id: 'coin', header: t('console.people.coin'), cell: ({ currency }) => currency, card: 'title' },
          {
            id: 'assets',
            header: t('console.house.assets'),
            cell: ({ assets }) => <Money amount={assets} />,
            end: true,
          },
          {
            id: 'people',
            header: t('console.house.people'),
            cell: ({ people }) => <Money amount={people} />,
            end: true,
          },
          {
            id: 'suspense',
            header: t('console.house.suspense'),
            cell: ({ suspense }) => <Money amount={suspense} />,
            end: true,
          },
          { id: 'own', header: t('console.house.own'), cell: ({ own }) => <Money amount={own} />, end: true },
          {
            id: 'usd',
            header: t('console.house.ownUsd'),
            cell: ({ usd: ofCoin }) =>
              ofCoin === null ? NO_NUMBER : <Money amount={cutToCents(ofCoin.own)} currency="USD" />,
            end: true,
          },
          {
            id: 'even',
            header: t('console.house.even'),
            cell: ({ difference }) =>
              isEven(difference) ? (
                <Badge tone="up">{t('console.people.yes')}</Badge>
              ) : (
                <Badge tone="down">{difference}</Badge>
              ),
          },
        ]}
      />
    </Section>
  );
}
