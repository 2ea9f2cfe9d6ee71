import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { Coin } from '@bourse/contract';
import { CoinIcon, fixed, grouped, Num, Skeleton } from '@bourse/ui';
import { api } from '../../core/api.js';
import { Failed } from '../../parts/failed.js';

/** Facts about a coin. */
export function CoinView({ id }: { id: number }) {
  const { i18n } = useTranslation();
  const {
    data: coin,
    isError,
    refetch,
  } = useQuery({
    // The description comes in the language of the page.
    queryKey: [...keys.coin(id), i18n.language],
    staleTime: 600_000,
    queryFn: async () => (await api.get('/api/currency/detail', { id }, { quiet: true })).message,
  });
  if (isError && !coin)
    return (
      <div className="grid flex-1 place-content-center">
        <Failed retry={() => void refetch()} />
      </div>
    );
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      {coin ? <CoinFacts coin={coin} /> : <Skeleton className="h-40 w-full" />}
    </div>
  );
}

function CoinFacts({ coin }: { coin: Coin }) {
  const { t } = useTranslation();
  const count = (value: string): string => (value === '' ? '' : grouped(fixed(value, 0)));
  const facts: [string, string][] = [
    ['coin.publishDate', coin.publish_date],
    ['coin.totalSupply', count(coin.total_supply)],
    ['coin.circulation', count(coin.circulation)],
  ];
  const links: [string, string][] = [
    ['coin.website', coin.website],
    ['coin.explorer', coin.explorer],
    ['coin.whitePaper', coin.white_paper],
  ];
  return (
    <>
      <h2 className="flex items-center gap-2 text-title font-semibold">
        <CoinIcon name={coin.name} src={coin.logo} /> {coin.full_name} <Num className="text-t2">{coin.name}</Num>
      </h2>
      {coin.description !== '' && <p className="mt-2 max-w-prose text-t2">{coin.description}</p>}
      <dl className="mt-4 grid max-w-lg grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {facts
          .filter(([, value]) => value !== '')
          .map(([key, value]) => (
            <Fact key={key} name={t(key)}>
              <Num>{value}</Num>
            </Fact>
          ))}
        {links
          .filter(([, value]) => /^https:\/\//.test(value))
          .map(([key, value]) => (
            <Fact key={key} name={t(key)}>
              <a className="text-accent underline" href={value} target="_blank" rel="noreferrer noopener">
                <bdi dir="ltr">{value}</bdi>
              </a>
            </Fact>
          ))}
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-t2">{name}</dt>
    <dd>{children}</dd>
  </div>
);
