import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Acceptor } from '@bourse/contract';
import { Button, Num, Panel, Table } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { Failed } from '../../../parts/failed.js';
import { acceptors, REFETCH_INTERVAL_MS, KEYS } from '../api/acceptors.js';
import type { DealType } from '../model/acceptors.js';
import { cashText, coinText } from '../model/figures.js';
import { DealPanel } from './deal-panel.js';

/** The acceptors and their limits; choosing one opens the order. */
export function AcceptorList({ onTaken }: { onTaken: () => void }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<{ readonly id: number; readonly type: DealType }>();
  const list = useQuery({ queryKey: KEYS.list, queryFn: () => acceptors(api), refetchInterval: REFETCH_INTERVAL_MS });
  if (list.isError && !list.data) return <Failed retry={() => void list.refetch()} />;
  const acceptor = list.data?.find(({ id }) => id === chosen?.id);
  if (chosen && acceptor)
    return (
      <DealPanel
        key={acceptor.id}
        acceptor={acceptor}
        type={chosen.type}
        onType={(type) => setChosen({ id: acceptor.id, type })}
        onBack={() => setChosen(undefined)}
        onTaken={onTaken}
      />
    );
  const quota = (amount: string, rate: string) => (
    <span className="flex flex-col">
      <Num>{amount}</Num>
      <span className="text-t2">
        {t('acc.rate')} <Num>{rate} %</Num>
      </span>
    </span>
  );
  const choose = (row: Acceptor, type: DealType, text: string) => (
    <Button size="small" aria-label={`${text}: ${row.name}`} onClick={() => setChosen({ id: row.id, type })}>
      {text}
    </Button>
  );
  return (
    <Panel>
      <Table
        label={t('nav.acceptors')}
        rows={list.data}
        rowKey={({ id }) => String(id)}
        empty={t('acc.empty')}
        columns={[
          {
            id: 'name',
            header: t('acc.name'),
            card: 'title',
            cell: ({ name }) => <bdi className="text-body font-medium">{name}</bdi>,
          },
          {
            id: 'coins',
            header: t('acc.coins'),
            end: true,
            className: 'py-2',
            cell: (row) => quota(coinText(row.recharge_amount), row.recharge_rate),
          },
          {
            id: 'cash',
            header: t('acc.cash'),
            end: true,
            cell: (row) => quota(cashText(row.cash_amount), row.cash_rate),
          },
          {
            id: 'act',
            header: <span className="sr-only">{t('acc.order')}</span>,
            sticky: true,
            end: true,
            cell: (row) => (
              <span className="inline-flex gap-2">
                {choose(row, 'buy', t('wallet.deposit'))}
                {choose(row, 'sell', t('wallet.withdraw'))}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
