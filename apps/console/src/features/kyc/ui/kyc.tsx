import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { DataPage } from '@bourse/contract';
import { Button, cx, Empty, Panel, Segmented, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { PageHead } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { ListFilters } from '../../../parts/list-filters.js';
import { usePageKeys } from '../../../parts/use-page-keys.js';
import { When } from '../../../parts/when.js';
import { addressOf } from '../../../paths.js';
import {
  afterDecision,
  chosenOf,
  neighbourOf,
  PAPERS_PATH,
  PICTURES_GOOD_MS,
  STATES,
  type Papers,
  type PapersState,
} from '../model/queue.js';
import { Case } from './case.js';

const isState = (text: string | null): text is PapersState => text !== null && text in STATES;

/** Papers of people: who waits at the side, the case with its pictures beside what the person wrote. */
export default function Kyc() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const asked = query.get('state');
  const state: PapersState = isState(asked) ? asked : '1';
  const page = query.get('page') ?? '1';
  const list = useAdminQuery<DataPage<Papers>>(
    PAPERS_PATH,
    { review_status: state, page },
    { everyMs: PICTURES_GOOD_MS },
  );
  const rows = list.data?.data ?? [];
  const shown = chosenOf(rows, Number(query.get('user') ?? 0));
  const go = (change: Readonly<Record<string, string | undefined>>): void => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    setQuery(next, { replace: true });
  };
  const open = (id: number | undefined): void => go({ user: id === undefined ? undefined : String(id) });
  const step = (by: 1 | -1) => (): void => open(neighbourOf(rows, shown?.user_id, by));
  usePageKeys({ j: step(1), ArrowDown: step(1), k: step(-1), ArrowUp: step(-1) });
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHead
        title={t('console.kyc.title')}
        actions={
          <Segmented
            label={t('console.people.state')}
            value={state}
            choices={(['1', '2', '0'] as const).map((value) => ({ value, label: t(STATES[value]) }))}
            onChange={(value) => go({ state: value, page: undefined, user: undefined })}
          />
        }
      />
      <ListFilters
        filters={[personFilter(t)]}
        valueOf={() => ''}
        onChange={(_, id) => {
          if (id !== '') void navigate(addressOf('kycCase', id));
        }}
        first={field}
      />
      {list.isPending && <Skeleton className="h-80 w-full" />}
      {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && <Empty>{t('console.kyc.none')}</Empty>}
      {shown && (
        <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <Queue
            rows={rows}
            shown={shown.user_id}
            onOpen={open}
            page={Number(page)}
            hasMore={list.data?.has_more === 1}
            onPage={(next) => go({ page: String(next), user: undefined })}
          />
          <Case
            key={shown.user_id}
            papers={shown}
            onDecided={() => open(afterDecision(rows, shown.user_id))}
            step={step}
          />
        </div>
      )}
    </div>
  );
}

interface QueueProps {
  readonly rows: readonly Papers[];
  readonly shown: number;
  readonly onOpen: (id: number) => void;
  readonly page: number;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}
function Queue({ rows, shown, onOpen, page, hasMore, onPage }: QueueProps) {
  const { t } = useTranslation();
  return (
    <Panel label={t('console.kyc.queue')} className="max-h-60 overflow-auto lg:max-h-none">
      <ul>
        {rows.map((row) => (
          <li key={row.user_id} className="border-b border-line last:border-0">
            <button
              type="button"
              aria-current={row.user_id === shown ? 'true' : undefined}
              onClick={() => onOpen(row.user_id)}
              className={cx(
                'flex w-full min-w-0 flex-col gap-0.5 px-3 py-2 text-start hover:bg-bg2',
                row.user_id === shown && 'bg-bg3',
              )}
            >
              <span className="truncate text-body" dir="auto">
                {row.name === '' ? row.account_number : row.name}
              </span>
              <span className="text-label text-t2">
                <When time={row.submitted_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {(page > 1 || hasMore) && (
        <div className="flex justify-between gap-2 p-2">
          <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {t('console.people.newer')}
          </Button>
          <Button size="small" disabled={!hasMore} onClick={() => onPage(page + 1)}>
            {t('console.people.older')}
          </Button>
        </div>
      )}
    </Panel>
  );
}
