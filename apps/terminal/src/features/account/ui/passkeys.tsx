import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PasskeyRow } from '@bourse/contract';
import { Button, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { canUsePasskeys } from '../../../core/passkey.js';
import { KEYS, passkeys } from '../api/account.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { Section } from './parts.js';

const NewPasskeyDialog = lazy(async () => ({ default: (await import('./passkey-dialogs.js')).NewPasskeyDialog }));
const RenamePasskeyDialog = lazy(async () => ({ default: (await import('./passkey-dialogs.js')).RenamePasskeyDialog }));
const RemovePasskeyDialog = lazy(async () => ({ default: (await import('./passkey-dialogs.js')).RemovePasskeyDialog }));

type Act = { readonly kind: 'rename' | 'remove'; readonly row: PasskeyRow };

/** Passkeys of the account, where each was last used, and how to add and remove one. */
export function Passkeys() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery({ queryKey: KEYS.passkeys, queryFn: () => passkeys(api) });
  const [making, setMaking] = useState(false);
  const [act, setAct] = useState<Act>();
  const close = (): void => setAct(undefined);
  const usable = canUsePasskeys();
  return (
    <Section
      title={t('passkeys.title')}
      lead={t(usable ? 'passkeys.note' : 'passkeys.unsupported')}
      end={
        usable && (
          <Button size="small" onClick={() => setMaking(true)}>
            {t('passkeys.make')}
          </Button>
        )
      }
    >
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : (
        <Table<PasskeyRow>
          label={t('passkeys.title')}
          rows={data}
          rowKey={(row) => row.id}
          empty={t('passkeys.none')}
          columns={[
            { id: 'label', header: t('apiKey.label'), cell: (row) => row.label },
            {
              id: 'made',
              header: t('apiKey.made'),
              className: 'max-md:hidden',
              cell: (row) => <Time>{row.created_at}</Time>,
            },
            { id: 'last', header: t('apiKey.last'), cell: (row) => <Time>{row.last_at}</Time> },
            {
              id: 'acts',
              header: <span className="sr-only">{t('passkeys.rename')}</span>,
              end: true,
              sticky: true,
              cell: (row) => (
                <span className="inline-flex flex-wrap justify-end gap-2">
                  {(['rename', 'remove'] as const).map((kind) => (
                    <Button
                      key={kind}
                      size="small"
                      aria-label={`${t(`passkeys.${kind}`)}: ${row.label}`}
                      onClick={() => setAct({ kind, row })}
                    >
                      {t(`passkeys.${kind}`)}
                    </Button>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {making && <NewPasskeyDialog onClose={() => setMaking(false)} />}
        {act?.kind === 'rename' && <RenamePasskeyDialog row={act.row} onClose={close} />}
        {act?.kind === 'remove' && <RemovePasskeyDialog row={act.row} onClose={close} />}
      </Suspense>
    </Section>
  );
}
