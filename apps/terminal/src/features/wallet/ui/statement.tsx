import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys, nextPage } from '@bourse/api-client';
import { Panel } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { statementJournals } from '../api/records.js';
import { filterFields, isSpanReadable, NO_FILTER, spanIsTurned } from '../model/statement.js';
import { StatementExport } from './statement-export.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { JournalTable } from './journal-table.js';
import { Check } from './statement-check.js';
import { StatementFilters } from './statement-filters.js';
import { TaxFile } from './tax-file.js';

/** Every journal on every account, each with its cause and its lines; and the proof that balances are their sums. */
export default function Statement() {
  const { t } = useTranslation();
  const [filter, setFilter] = useState(NO_FILTER);
  const turned = spanIsTurned(filter);
  const isReadable = isSpanReadable(filter);
  const fields = { ...filterFields(filter), holds: filter.holds ? '1' : undefined };
  const list = useInfiniteQuery({
    queryKey: [...keys.statement, 'journals', fields],
    initialPageParam: 1,
    enabled: isReadable,
    queryFn: ({ pageParam }) => statementJournals(api, fields, pageParam),
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.data);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.statement')}</h1>
        <StatementExport filter={filter} />
      </div>
      <Check />
      <TaxFile />
      <Panel>
        <StatementFilters filter={filter} turned={turned} onChange={setFilter} />
        {turned && (
          <p role="alert" className="px-4 pb-3 text-table text-down">
            {t('wallet.spanTurned')}
          </p>
        )}
        {list.isError && !rows ? (
          <Failed retry={() => void list.refetch()} />
        ) : (
          <JournalTable rows={isReadable ? rows : []} />
        )}
        {rows && rows.length > 0 && isReadable && <More query={list} />}
      </Panel>
    </div>
  );
}
