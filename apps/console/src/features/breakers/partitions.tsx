import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Num, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../core/calls.js';
import { useMay } from '../../core/operator.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { Section } from '../../parts/detail.js';
import { Failed } from '../../parts/failed.js';
import { byPartition, type MarketPartitions } from './breakers-model.js';

const PATH = '/api/admin/partitions';

/** The partition of the books that runs each market, and the move to another one; trading continues meanwhile. */
export function Partitions() {
  const { t } = useTranslation();
  const may = useMay('admin');
  const { data, error, isError, refetch } = useAdminQuery(PATH, {});
  const [market, setMarket] = useState<MarketPartitions['markets'][number]>();
  const groups = data ? byPartition(data) : [];
  return (
    <Section title={t('partition.title')}>
      <p className="text-t2">{t(data?.partitions === 1 ? 'partition.single' : 'partition.text')}</p>
      {isError && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <ul className="flex flex-col gap-3">
          {groups.map(({ partition, symbols }) => (
            <li key={partition} data-partition={partition} className="flex flex-col gap-2">
              <h3 className="text-label text-t2">{t('partition.name', { partition, count: symbols.length })}</h3>
              <ul className="flex flex-wrap gap-2">
                {symbols.map((symbol) => (
                  <li
                    key={symbol}
                    className="flex items-center gap-2 rounded-panel border border-line bg-bg2 px-3 py-1 text-table"
                  >
                    <Num>{symbol}</Num>
                    {may && data.partitions > 1 && (
                      <Button
                        size="small"
                        aria-label={t('partition.moveOf', { symbol })}
                        onClick={() => setMarket({ symbol, partition })}
                      >
                        {t('partition.move')}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      <ActDialog
        open={market !== undefined}
        onClose={() => setMarket(undefined)}
        title={t('partition.moveOf', { symbol: market?.symbol })}
        explain={t('partition.explain', { partition: market?.partition })}
        fields={[
          {
            name: 'partition',
            label: t('partition.to'),
            kind: 'choice',
            required: true,
            options: groups
              .filter(({ partition }) => partition !== market?.partition)
              .map(({ partition }) => ({ value: String(partition), label: String(partition) })),
          },
        ]}
        action={t('partition.moveOf', { symbol: market?.symbol })}
        path="/api/admin/partition"
        body={{ symbol: market?.symbol }}
        invalidate={[PATH]}
      />
    </Section>
  );
}
