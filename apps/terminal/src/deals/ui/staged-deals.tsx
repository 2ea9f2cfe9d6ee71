import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '@bourse/ui';
import { Failed } from '../../parts/failed.js';
import { More } from '../../parts/more.js';
import { useDeals, type DealsPath, type ListFields } from '../api/deals.js';
import type { Stage } from '../api/keys.js';
import { DealTable } from './deal-table.js';

const STAGES: readonly Stage[] = ['running', 'done', 'cancelled'];

/** A list of deals, one stage at a time; each deal opens on its own page. */
export function StagedDeals({
  path,
  fields,
  label,
  empty,
}: {
  path: DealsPath;
  fields?: ListFields;
  label: string;
  empty: ReactNode;
}) {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>('running');
  const { query, rows } = useDeals(path, stage, fields);
  return (
    <>
      <div className="p-3">
        <Segmented<Stage>
          label={t('deals.stateName')}
          value={stage}
          choices={STAGES.map((value) => ({ value, label: t(`deals.stage.${value}`) }))}
          onChange={setStage}
        />
      </div>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : (
        <DealTable label={label} rows={rows} empty={empty} footer={rows && rows.length > 0 && <More query={query} />} />
      )}
    </>
  );
}
