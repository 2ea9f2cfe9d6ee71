import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ApiError } from '@bourse/api-client';
import { Alert, Badge, Button, Num, Skeleton, type Tone } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { useAdminQuery } from '../../../core/calls.js';
import { useMay } from '../../../core/operator.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts, PageHead, Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import { When } from '../../../parts/when.js';
import { addressOf } from '../../../paths.js';
import { inOrder, type Audit } from '../model/audit.js';

const PATH = '/api/admin/reconciliation';
/** The auditors run every 15 seconds; the page reads their results as often. */
const EVERY_MS = 15_000;
const MODES: Readonly<Record<string, Tone>> = { normal: 'up', cancel_only: 'warn', halted: 'down' };

/** The latest results of the auditors: every rule they compare, its time, and everything that is stopped. */
export default function Reconciliation() {
  const { t } = useTranslation();
  const { data } = useAdminQuery(PATH, {}, { everyMs: EVERY_MS });
  const wrong = data?.checks.filter(({ ok }) => !ok).length ?? 0;
  return (
    <>
      <PageHead title={t('place.reconciliation')} />
      <Section title={t('console.reconciliation.last')}>
        <Facts
          rows={[
            [
              t('dash.books'),
              data && (
                <Badge tone={data.ok ? 'up' : 'down'}>{t(data.ok ? 'dash.booksRight' : 'dash.booksWrong')}</Badge>
              ),
            ],
            [t('dash.checked'), data && <When time={data.checked_at} />],
            [t('dash.checks'), data && <Num>{data.checks.length}</Num>],
            [t('console.reconciliation.wrongOnes'), data && <Num>{wrong}</Num>],
            [t('place.breakers'), data && <Breakers breakers={data.breakers} />],
          ]}
        />
        {wrong > 0 && <Alert tone="error">{t('console.reconciliation.text')}</Alert>}
      </Section>
      <Solvency />
      <ListPage
        inside
        name="reconciliation"
        title={t('dash.checks')}
        path={PATH}
        everyMs={EVERY_MS}
        filters={[
          { name: 'name', label: t('console.reconciliation.check'), kind: 'text', here: true },
          {
            ...choiceFilter('ok', t('console.people.result'), [1, 0], (value) =>
              t(`console.reconciliation.ok.${value}`),
            ),
            here: true,
          },
        ]}
        rowsOf={({ checks }, valueOf) => inOrder(checks, valueOf('ok'), valueOf('name'))}
        columns={[
          {
            id: 'name',
            label: t('console.reconciliation.check'),
            cell: ({ name }) => <bdi className="break-all">{name}</bdi>,
            sort: ({ name }) => name,
          },
          {
            id: 'ok',
            label: t('console.people.result'),
            cell: ({ ok }) => (
              <span>
                <Badge tone={ok ? 'up' : 'down'}>{t(`console.reconciliation.ok.${ok}`)}</Badge>
              </span>
            ),
            sort: ({ ok }) => ok,
          },
          {
            id: 'detail',
            label: t('console.reconciliation.detail'),
            cell: ({ detail }) => <bdi>{detail}</bdi>,
            csv: ({ detail }) => detail,
          },
        ]}
        rowKey={({ name }) => name}
      />
    </>
  );
}

const LATEST = '/api/solvency/latest';

/** The latest proof of liabilities, and a snapshot on request (api §2.12). */
function Solvency() {
  const { t } = useTranslation();
  const may = useMay('finance');
  const { data, error, isError, refetch } = useAdminQuery(LATEST, {});
  const [open, setOpen] = useState(false);
  const isNone = error instanceof ApiError && error.key === 'common.notFound';
  return (
    <Section
      title={t('solvency.title')}
      actions={may && <Button onClick={() => setOpen(true)}>{t('solvency.take')}</Button>}
    >
      {isError && !isNone ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : isNone ? (
        <p className="text-t2">{t('solvency.none')}</p>
      ) : !data ? (
        <Skeleton className="h-10 w-full" />
      ) : (
        <Facts
          rows={[
            [t('solvency.number'), <Num key="id">{data.snapshot_id}</Num>],
            [t('solvency.time'), <When key="time" time={data.time} />],
            [t('solvency.coins'), <Num key="coins">{data.currencies.length}</Num>],
          ]}
        />
      )}
      <ActDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('solvency.take')}
        explain={t('solvency.explain')}
        action={t('solvency.take')}
        path="/api/admin/solvency/snapshot"
        invalidate={[LATEST]}
        done={({ message }) =>
          toastDone(t('solvency.taken', { id: (message as { readonly snapshot_id: number }).snapshot_id }))
        }
      />
    </Section>
  );
}

function Breakers({ breakers }: Pick<Audit, 'breakers'>) {
  const { t } = useTranslation();
  const stopped = breakers.filter(({ mode }) => mode !== 'normal');
  return (
    <span className="flex flex-wrap gap-1">
      {stopped.map(({ scope, mode }) => (
        <Badge key={scope} tone={MODES[mode] ?? 'plain'}>
          {t(`breaker.scope.${scope}`, scope)}: {t(`breaker.mode.${mode}`)}
        </Badge>
      ))}
      <Link to={addressOf('breakers')} className="underline underline-offset-2 hover:text-accent">
        {t(stopped.length === 0 ? 'dash.allOpen' : 'place.breakers')}
      </Link>
    </span>
  );
}
