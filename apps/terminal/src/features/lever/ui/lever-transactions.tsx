import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button, Empty, Num, Panel, Select, Skeleton } from '@bourse/ui';
import { pairsOf } from '../../../core/market.js';
import { usePair } from '../../../market/pair/use-pair.js';
import { FeedChip } from '../../../parts/feed-chip.js';
import { leverAddress } from '../../../paths.js';
import { useBoard, useLeverPushes } from '../api/lever.js';
import { AccountStrip } from './account-strip.js';
import { LeverPanel, type LeverTab } from './lever-panel.js';
import { forLever } from './lever-screen.js';

/** Positions, entrusts, history and fills of the pair chosen (api §5). */
export default function LeverTransactions() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair(forLever);
  const [tab, setTab] = useState<LeverTab>('open');
  useLeverPushes();
  const quote = { legalId: pair?.legal_id ?? 0, currencyId: 0 };
  const open = useBoard('open', quote);
  const pending = useBoard('pending', quote);
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  if (!pair) return <Skeleton className="h-72 w-full" />;
  const offered = pairsOf(groups).filter(forLever);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-last font-semibold">{t('lever.positions')}</h1>
        <Select
          hideLabel
          label={t('orders.pair')}
          value={pair.symbol}
          options={offered.map(({ symbol }) => ({ value: symbol, label: symbol }))}
          onChange={(symbol) => {
            const next = offered.find((item) => item.symbol === symbol);
            if (next) choose(next);
          }}
        />
        <FeedChip feed={pair.feed} />
        <Link className="ms-auto text-table text-t2 underline hover:text-t1" to={leverAddress(pair)}>
          {t('nav.leverage')} <Num>{pair.symbol}</Num>
        </Link>
      </div>
      <Panel className="flex min-h-80 flex-col overflow-hidden">
        <AccountStrip board={open.board} quote={{ id: pair.legal_id, name: pair.legal_name }} />
        <LeverPanel {...{ pair, open, pending, tab }} onTab={setTab} />
      </Panel>
    </div>
  );
}
