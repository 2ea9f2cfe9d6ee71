import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MicroOrder } from '@bourse/contract';
import { Tabs } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { Failed } from '../../../parts/failed.js';
import { GuestPrompt } from '../../../parts/guest-prompt.js';
import { ClosedList } from './closed-list.js';
import { RunningList } from './running-list.js';

/** The running and the closed contracts of all markets. */
export function OrdersPanel({
  running: { rows, failed, retry },
}: {
  running: { rows: MicroOrder[] | undefined; failed: boolean; retry: () => void };
}) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const [tab, setTab] = useState<'running' | 'closed'>('running');
  return (
    <Tabs
      label={t('micro.orders')}
      value={tab}
      onChange={setTab}
      panelClassName="flex min-h-0 flex-1 flex-col"
      tabs={[
        { id: 'running', label: rows ? t('micro.runningCount', { count: rows.length }) : t('micro.running') },
        { id: 'closed', label: t('micro.closedTab') },
      ]}
    >
      {!signedIn ? (
        <div className="mx-auto w-full max-w-96 p-3 text-center text-t2">
          <p>{t('micro.guestOrders')}</p>
          <GuestPrompt />
        </div>
      ) : tab === 'closed' ? (
        <ClosedList />
      ) : failed ? (
        <Failed retry={retry} />
      ) : (
        <RunningList rows={rows} />
      )}
    </Tabs>
  );
}
