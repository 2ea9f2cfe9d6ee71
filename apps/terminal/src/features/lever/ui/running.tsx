import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { Num, Panel } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { hasScreen } from '../../../paths.js';
import { useBoard, useLeverPushes } from '../api/lever.js';
import { Signed } from './signed.js';

/** How many rows a list has, without reading them. */
function useTotal(
  path:
    | '/api/coin/list'
    | '/api/c2c_user_deal'
    | '/api/c2c_seller_deal'
    | '/api/microtrade/lists'
    | '/api/currency/deposit/lhDepositOrderList',
  fields: { status: 1 } | { is_sure: '0|3' },
  enabled: boolean,
): number | undefined {
  const { data } = useQuery({
    queryKey: [...keys.lever, 'running', path, fields],
    enabled,
    refetchInterval: 10_000,
    queryFn: async () => (await api.get(path, { ...fields, page: 1 }, { quiet: true })).message.total,
  });
  return data;
}

/** Unfinished deals with other people: those taken, and those on one's ads. */
function useDealsTotal(enabled: boolean): number | undefined {
  const taken = useTotal('/api/c2c_user_deal', { is_sure: '0|3' }, enabled);
  const onAds = useTotal('/api/c2c_seller_deal', { is_sure: '0|3' }, enabled);
  return taken === undefined || onAds === undefined ? undefined : taken + onAds;
}

/** The open business in all products, each line a link to it (api §5). */
export default function Running() {
  const { t } = useTranslation();
  useLeverPushes();
  const { board } = useBoard('open');
  const { board: pending } = useBoard('pending');
  const seconds = hasScreen('/secondsOrder');
  const lines = [
    { to: '/accountEntrust', name: t('orders.open'), count: useTotal('/api/coin/list', { status: 1 }, true) },
    { to: '/allTransaction', name: t('lever.positions'), count: board?.rows.length, profit: board?.profits_total },
    { to: '/leverList', name: t('lever.entrusts'), count: pending?.rows.length },
    {
      to: '/secondsOrder',
      name: t('nav.micro'),
      count: useTotal('/api/microtrade/lists', { status: 1 }, seconds),
    },
    { to: '/c2cOrder', name: t('nav.c2cOrders'), count: useDealsTotal(hasScreen('/c2cOrder')) },
    {
      to: '/manageList',
      name: t('nav.savings'),
      count: useTotal('/api/currency/deposit/lhDepositOrderList', { status: 1 }, hasScreen('/manageList')),
    },
  ].filter(({ to }) => hasScreen(to));
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-last font-semibold">{t('nav.running')}</h1>
      <Panel>
        <ul>
          {lines.map(({ to, name, count, profit }) => (
            <li key={to} className="border-b border-line last:border-b-0">
              <Link to={to} className="flex items-center justify-between gap-4 px-4 py-3 text-body hover:bg-bg3">
                <span>{name}</span>
                <span className="flex gap-4">
                  {profit !== undefined && <Signed unit="USDT">{profit}</Signed>}
                  <Num>{count === undefined ? '…' : count}</Num>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
