import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { InsuranceType } from '@bourse/contract';
import { atMost, Button, Empty, grouped, Num, Panel, Skeleton } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { useTypes } from '../api/insurance.js';
import { useMicroPushes } from '../api/micro.js';
import { policyFigures } from '../model/insurance.js';
import { BuyDialog } from './buy-dialog.js';
import { ClaimList } from './claim-list.js';
import { PolicyList } from './policy-list.js';

/** Insurance on contract assets: what it is, what one has, what was paid. */
export default function InsurancePage() {
  const { t } = useTranslation();
  const types = useTypes();
  useMicroPushes();
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Link to="/secondsOrder" className="text-table text-t2 underline hover:text-t1">
          {t('nav.micro')}
        </Link>
        <h1 className="text-last font-semibold">{t('nav.insurance')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('insurance.lead')}</p>
      </div>
      {types.isError && !types.data ? (
        <Failed retry={() => void types.refetch()} />
      ) : !types.data ? (
        <Skeleton className="h-60 w-full" />
      ) : types.data.length === 0 ? (
        <Empty>{t('insurance.noTypes')}</Empty>
      ) : (
        types.data.map((type) => <TypePanel key={type.id} type={type} />)
      )}
      {!types.isPending && (
        <>
          <PolicyList types={types.data} />
          <ClaimList />
        </>
      )}
    </div>
  );
}

/** The price and the payout of a type, in words and in the figures of one amount. */
function TypePanel({ type }: { type: InsuranceType }) {
  const { t } = useTranslation();
  const [buying, setBuying] = useState(false);
  const coin = type.currency_name;
  const amount = workedAmount(type);
  const figures = policyFigures(amount, type);
  const money = (text: string): string => `\u2066${grouped(atMost(text, 8))} ${coin}\u2069`;
  const rate = (text: string): string => `\u2066${atMost(text, 6)} %\u2069`;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-title font-semibold">
          <Num>{type.name}</Num>
        </h2>
        <Button kind="primary" onClick={() => setBuying(true)}>
          {t('insurance.buy')}
        </Button>
      </div>
      <ul className="flex max-w-prose list-disc flex-col gap-1.5 ps-5">
        <li>
          {t('insurance.wordCost', {
            min: money(type.min_amount),
            max: money(type.max_amount),
            rate: rate(type.premium_rate),
          })}
        </li>
        <li>{t('insurance.wordStake', { coin, rate: rate(type.stake_rate), count: type.max_open })}</li>
        <li>{t('insurance.wordClaim', { loss: rate(type.claim_loss_rate), rate: rate(type.claim_rate) })}</li>
        <li>{t('insurance.wordDay', { count: type.claims_per_day })}</li>
        <li>{t('insurance.wordEnd', { rate: rate(type.end_profit_rate) })}</li>
        <li>{t('insurance.wordCancel')}</li>
      </ul>
      <p className="max-w-prose rounded-panel bg-bg2 p-3">
        {t('insurance.worked', {
          amount: money(amount),
          total: money(figures.total),
          stake: money(figures.stake),
          claimAt: money(figures.claimAt),
          payout: money(figures.payout),
          back: money(figures.back),
          endAt: money(figures.endAt),
        })}
      </p>
      <p className="text-table text-t2">
        {t('insurance.onOffer')} <Num>{money(type.quota_left)}</Num>
      </p>
      {buying && <BuyDialog type={type} onClose={() => setBuying(false)} />}
    </Panel>
  );
}

/** The amount of the example: a thousand where that can be bought, else the least. */
function workedAmount({ min_amount: min, max_amount: max }: InsuranceType): string {
  return Number(min) <= 1_000 && Number(max) >= 1_000 ? '1000' : min;
}
