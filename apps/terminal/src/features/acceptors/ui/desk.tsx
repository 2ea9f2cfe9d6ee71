import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nextPage } from '@bourse/api-client';
import type { AcceptorDeal } from '@bourse/contract';
import { Button, Panel, Select } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { REFETCH_INTERVAL_MS, KEYS, orders } from '../api/acceptors.js';
import { deskActions, type DealType, type DeskAction } from '../model/acceptors.js';
import { DealCards } from './deal-cards.js';
import { DeskAccount } from './desk-account.js';
import { DeskDialog } from './desk-dialog.js';
import { TypeSelect } from './type-select.js';

const SURE = ['0', '1', '2'] as const;
type Sure = (typeof SURE)[number] | '';

/** The desk of an acceptor: the own account, and the orders that wait for it. */
export function Desk() {
  const { t } = useTranslation();
  const [type, setType] = useState<DealType | ''>('');
  const [sure, setSure] = useState<Sure>('0');
  const [acting, setActing] = useState<{ readonly deal: AcceptorDeal; readonly action: DeskAction }>();
  const list = useInfiniteQuery({
    queryKey: [...KEYS.orders, type, sure],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => orders(api, { type, sure }, pageParam),
    getNextPageParam: nextPage,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <>
      <DeskAccount />
      <Panel label={t('acc.orders')}>
        <h2 className="px-3 pt-3 text-title font-semibold">{t('acc.orders')}</h2>
        <div className="flex flex-wrap gap-3 p-3">
          <Select<Sure>
            className="w-40"
            label={t('wallet.status')}
            value={sure}
            onChange={setSure}
            options={[
              { value: '', label: t('common.all') },
              ...SURE.map((value) => ({ value, label: t(`acc.state.${value}`) })),
            ]}
          />
          <TypeSelect value={type} onChange={setType} />
        </div>
        <DealCards
          key={`${type} ${sure}`}
          list={list}
          side="desk"
          empty={t('acc.noOrders')}
          actions={(deal) =>
            deskActions(deal).map((action) => (
              <Button
                key={action}
                size="small"
                kind={action === 'reject' ? 'danger' : 'primary'}
                onClick={() => setActing({ deal, action })}
              >
                {t(`acc.${action}`)}
              </Button>
            ))
          }
        />
      </Panel>
      {acting && <DeskDialog {...acting} onClose={() => setActing(undefined)} />}
    </>
  );
}
