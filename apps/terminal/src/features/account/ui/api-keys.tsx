import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiKeyRow } from '@bourse/contract';
import { Button, Num, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { apiKeys, KEYS } from '../api/account.js';
import { mayTrade } from '../model/security.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { ActionLink, Section, SettingRow } from './parts.js';

const NewKeyDialog = lazy(async () => ({ default: (await import('./api-key-dialogs.js')).NewKeyDialog }));
const DeleteKeyDialog = lazy(async () => ({ default: (await import('./api-key-dialogs.js')).DeleteKeyDialog }));

/**
 * Keys for programs: what each may do, from where, and when it was last used. Making and deleting one needs the fund
 * password.
 */
export function ApiKeys({ hasFundPassword }: { hasFundPassword: boolean }) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery({ queryKey: KEYS.apiKeys, queryFn: () => apiKeys(api) });
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<ApiKeyRow>();
  return (
    <Section
      title={t('apiKey.title')}
      lead={t('apiKey.note')}
      end={
        hasFundPassword && (
          <Button size="small" onClick={() => setMaking(true)}>
            {t('apiKey.make')}
          </Button>
        )
      }
    >
      {!hasFundPassword && (
        <SettingRow title={t('security.fundMissing')} note={t('apiKey.needsFund')}>
          <ActionLink to="/bindmpwd" what={t('account.fundPassword')}>
            {t('security.set')}
          </ActionLink>
        </SettingRow>
      )}
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : (
        <Table<ApiKeyRow>
          label={t('apiKey.title')}
          rows={data}
          rowKey={(row) => row.key}
          empty={t('apiKey.none')}
          columns={[
            { id: 'label', header: t('apiKey.label'), cell: (row) => row.label },
            { id: 'key', header: t('apiKey.key'), cell: (row) => <Num className="font-mono">{row.key}</Num> },
            {
              id: 'may',
              header: t('apiKey.permissions'),
              cell: (row) => t(mayTrade(row) ? 'apiKey.readTrade' : 'apiKey.read'),
            },
            {
              id: 'from',
              header: t('apiKey.addresses'),
              cell: (row) => (row.ips.length > 0 ? <Num>{row.ips.join(', ')}</Num> : t('apiKey.anywhere')),
            },
            { id: 'made', header: t('apiKey.made'), cell: (row) => <Time>{row.created_at}</Time> },
            { id: 'last', header: t('apiKey.last'), cell: (row) => <Time>{row.last_at}</Time> },
            {
              id: 'delete',
              header: <span className="sr-only">{t('apiKey.delete')}</span>,
              end: true,
              sticky: true,
              cell: (row) => (
                <Button
                  size="small"
                  aria-label={`${t('apiKey.delete')}: ${row.label}`}
                  onClick={() => setDeleting(row)}
                >
                  {t('apiKey.delete')}
                </Button>
              ),
            },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {making && <NewKeyDialog onClose={() => setMaking(false)} />}
        {deleting && <DeleteKeyDialog row={deleting} onClose={() => setDeleting(undefined)} />}
      </Suspense>
    </Section>
  );
}
