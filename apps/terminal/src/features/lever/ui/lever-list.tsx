import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel, Tabs } from '@bourse/ui';
import { useBoard, useLeverPushes } from '../api/lever.js';
import { OpenPositions, PendingEntrusts, PositionHistory } from './position-tables.js';

const TABS = ['0', '1', '2', '3', '4'] as const;
type Tab = (typeof TABS)[number];

/** All leverage orders by their five states (api §5). */
export default function LeverList() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('0');
  useLeverPushes();
  const open = useBoard('open');
  const pending = useBoard('pending');
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-last font-semibold">{t('nav.leverList')}</h1>
      <Panel className="flex min-h-80 flex-col overflow-hidden">
        <Tabs<Tab>
          label={t('nav.leverList')}
          value={tab}
          onChange={setTab}
          panelClassName="flex min-h-0 flex-1 flex-col"
          tabs={TABS.map((id) => ({ id, label: t(`lever.state.${id}`) }))}
        >
          {tab === '0' ? (
            <PendingEntrusts list={pending} />
          ) : tab === '1' ? (
            <OpenPositions list={open} />
          ) : (
            <PositionHistory key={tab} label={t(`lever.state.${tab}`)} status={tab === '2' ? 2 : tab === '3' ? 3 : 4} />
          )}
        </Tabs>
      </Panel>
    </div>
  );
}
