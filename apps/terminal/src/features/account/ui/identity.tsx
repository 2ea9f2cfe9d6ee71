import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { Center } from '@bourse/contract';
import { Button, Empty, Num, Panel, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';

const STATES = ['none', 'review', 'certified'] as const;

/** State of the person's identity certification: where an order that needs one leads. */
export default function Identity() {
  const { t } = useTranslation();
  const { data: center, isError, refetch } = useQuery({ queryKey: keys.center, queryFn: async () => (await api.get<Center>('/api/user/center', {}, { quiet: true })).message });
  if (isError) return <Empty action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  const state = center && STATES[center.review_status];
  return (
    <>
      <h1 className="mb-4 text-title font-semibold">{t('nav.identity')}</h1>
      <Panel className="flex flex-col gap-3 p-4">
        {!state ? <Skeleton className="h-16 w-full" /> : (
          <>
            <p className="text-title font-medium">{t(`identity.${state}`)}</p>
            <p className="max-w-prose text-t2">{t(`identity.${state}Text`)}</p>
            {center.review_reason !== '' && <p className="text-warn">{center.review_reason}</p>}
            {center.name !== '' && <p><Num>{center.name}</Num> <Num className="text-t2">{center.card_id}</Num></p>}
          </>
        )}
      </Panel>
    </>
  );
}
