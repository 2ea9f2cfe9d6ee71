import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { cx, Segmented } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { PageHead } from '../../../parts/detail.js';
import { times, words } from '../../../parts/list-columns.js';
import { personFilter } from '../../../parts/list-common-filters.js';
import { ListFilters } from '../../../parts/list-filters.js';
import { fieldsOf } from '../../../parts/list-model.js';
import { ListPage } from '../../../parts/list-page.js';
import { usePageKeys } from '../../../parts/use-page-keys.js';
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

/** Identity papers: the waiting people at the side, the selected case with its pictures beside the person's data. */
export default function Kyc() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const asked = query.get('state');
  const state: PapersState = isState(asked) ? asked : '1';
  // The same query as that of the list beside it, sent once.
  const list = useAdminQuery(
    PAPERS_PATH,
    { review_status: state, ...fieldsOf(query, []) },
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
      <div className={cx('grid min-w-0 items-start gap-4', shown && 'lg:grid-cols-[20rem_minmax(0,1fr)]')}>
        <div className={cx('min-w-0', shown && 'max-h-80 overflow-auto lg:max-h-none')}>
          <ListPage<typeof PAPERS_PATH>
            key={state}
            inside
            name="kyc"
            title={t('console.kyc.queue')}
            path={PAPERS_PATH}
            fixed={{ review_status: state }}
            everyMs={PICTURES_GOOD_MS}
            columns={[
              words('name', t('console.kyc.name'), ({ name, account_number: account }) => name || account),
              times('submitted', t('console.kyc.submitted'), ({ submitted_at: at }) => at),
              { ...words<Papers>('account', t('console.people.account'), (row) => row.account_number), wide: true },
              {
                ...words<Papers>('nationality', t('console.people.nationality'), (row) => row.nationality),
                wide: true,
              },
              { ...words<Papers>('reason', t('console.kyc.reason'), (row) => row.review_reason), wide: true },
              times('decided', t('console.kyc.decided'), ({ decided_at: at }) => at, true),
            ]}
            rowKey={({ user_id: id }) => String(id)}
            onOpen={({ user_id: id }) => open(id)}
            isCurrent={({ user_id: id }) => id === shown?.user_id}
            empty={t('console.kyc.none')}
          />
        </div>
        {shown && (
          <Case
            key={shown.user_id}
            papers={shown}
            onDecided={() => open(afterDecision(rows, shown.user_id))}
            step={step}
          />
        )}
      </div>
    </div>
  );
}
