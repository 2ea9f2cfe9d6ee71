import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel, Tabs } from '@bourse/ui';
import type { Tab } from './use-entrusts.js';
import { CompletedTrades } from './completed-trades.js';
import { OpenEntrusts } from './open-entrusts.js';
import { OrdersExport } from './orders-export.js';

/** Entrust list: open sells, open buys, completed trades. */
export default function EntrustList() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('out');
  return (
    <>
      <h1 className="mb-4 text-title font-semibold">{t('entrust.title')}</h1>
      <Panel>
        <Tabs<Tab>
          label={t('entrust.title')}
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'out', label: t('entrust.selling') },
            { id: 'in', label: t('entrust.buying') },
            { id: 'complete', label: t('entrust.completed') },
          ]}
          end={
            tab === 'complete' && (
              <div className="flex shrink-0 items-center px-3 py-1">
                <OrdersExport kind="trades" />
              </div>
            )
          }
        >
          {tab === 'complete' ? <CompletedTrades /> : <OpenEntrusts key={tab} tab={tab} />}
        </Tabs>
      </Panel>
    </>
  );
}
