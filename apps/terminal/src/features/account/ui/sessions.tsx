import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionRow } from '@bourse/contract';
import { Button, Dialog, Num, Table } from '@bourse/ui';
import { ApiError, api, queryClient } from '../../../core/api.js';
import { toastDone, toastError } from '@bourse/web';
import { KEYS, revokeSession, sessions } from '../api/account.js';
import { deviceName } from '../model/security.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { Section } from './parts.js';

/** The sessions of the account, each with a button to end it. */
export function Sessions() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery({ queryKey: KEYS.sessions, queryFn: () => sessions(api) });
  const [asked, setAsked] = useState<SessionRow>();
  const [busy, setBusy] = useState(false);
  const name = (row: SessionRow): string => deviceName(row.agent) || t('sessions.unknown');
  const revoke = async (row: SessionRow): Promise<void> => {
    setBusy(true);
    try {
      await revokeSession(api, row.id);
      toastDone(t('sessions.ended'));
    } catch (failure) {
      toastError(failure instanceof ApiError ? failure.message : t('common.loadFailed'));
    } finally {
      setBusy(false);
      setAsked(undefined);
      await queryClient.invalidateQueries({ queryKey: KEYS.sessions });
    }
  };
  return (
    <Section title={t('sessions.title')} lead={t('sessions.note')}>
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : (
        <Table<SessionRow>
          label={t('sessions.title')}
          rows={data}
          rowKey={(row) => row.id}
          empty={t('sessions.none')}
          columns={[
            {
              id: 'device',
              header: t('sessions.device'),
              cell: (row) => (
                <>
                  {name(row)}
                  {row.current === 1 && (
                    <span className="ms-2 rounded-chip bg-bg3 px-1.5 py-0.5 text-label">{t('sessions.current')}</span>
                  )}
                </>
              ),
            },
            { id: 'ip', header: t('sessions.address'), cell: (row) => <Num>{row.ip}</Num> },
            {
              id: 'since',
              header: t('sessions.since'),
              className: 'max-md:hidden',
              cell: (row) => <Time>{row.created_at}</Time>,
            },
            { id: 'last', header: t('sessions.last'), cell: (row) => <Time>{row.last_at}</Time> },
            {
              id: 'end',
              header: <span className="sr-only">{t('sessions.end')}</span>,
              end: true,
              sticky: true,
              cell: (row) =>
                row.current === 0 && (
                  <Button
                    size="small"
                    aria-label={`${t('sessions.end')}: ${name(row)}, ${row.ip}`}
                    onClick={() => setAsked(row)}
                  >
                    {t('sessions.end')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <Dialog
        open={asked !== undefined}
        onClose={() => {
          if (!busy) setAsked(undefined);
        }}
        title={t('sessions.endTitle')}
        closeLabel={t('common.close')}
        description={asked && t('sessions.endText', { device: name(asked), address: `\u2066${asked.ip}\u2069` })}
        actions={
          <>
            <Button disabled={busy} onClick={() => setAsked(undefined)}>
              {t('common.cancel')}
            </Button>
            <Button
              kind="danger"
              busy={busy}
              onClick={() => {
                if (asked) void revoke(asked);
              }}
            >
              {t('sessions.end')}
            </Button>
          </>
        }
      />
    </Section>
  );
}
