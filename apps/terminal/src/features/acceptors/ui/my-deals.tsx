import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nextPage } from '@bourse/api-client';
import { WAYS, type AcceptorDeal, type Way } from '@bourse/contract';
import { Button, Panel, Select } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { REFETCH_INTERVAL_MS, KEYS, myDeals } from '../api/acceptors.js';
import { userActions, type DealType, type UserAction } from '../model/acceptors.js';
import { DealCards } from './deal-cards.js';
import { TypeSelect } from './type-select.js';
import { UserDialog } from './user-dialog.js';
import { WAY_TEXT } from './words.js';

/** The person's deals with acceptors: whose turn it is, by when, and what can be done. */
export function MyDeals() {
  const { t } = useTranslation();
  const [type, setType] = useState<DealType | ''>('');
  const [way, setWay] = useState<Way | ''>('');
  const [acting, setActing] = useState<{ readonly deal: AcceptorDeal; readonly action: UserAction }>();
  const list = useInfiniteQuery({
    queryKey: [...KEYS.mine, type, way],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => myDeals(api, { type, way }, pageParam),
    getNextPageParam: nextPage,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <Panel>
      <div className="flex flex-wrap gap-3 p-3">
        <TypeSelect value={type} onChange={setType} />
        <Select<Way | ''>
          className="w-40"
          label={t('acc.way')}
          value={way}
          onChange={setWay}
          options={[
            { value: '', label: t('common.all') },
            ...WAYS.map((value) => ({ value, label: t(WAY_TEXT[value]) })),
          ]}
        />
      </div>
      <DealCards
        key={`${type} ${way}`}
        list={list}
        side="user"
        empty={t('acc.noDeals')}
        actions={(deal) =>
          userActions(deal).map((action) => (
            <Button
              key={action}
              size="small"
              kind={action === 'confirm' ? 'primary' : 'secondary'}
              onClick={() => setActing({ deal, action })}
            >
              {t(action === 'object' && deal.type === 'buy' ? 'acc.paid' : `acc.${action}`)}
            </Button>
          ))
        }
      />
      {acting && <UserDialog {...acting} onClose={() => setActing(undefined)} />}
    </Panel>
  );
}
