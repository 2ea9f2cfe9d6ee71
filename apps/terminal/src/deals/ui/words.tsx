import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Ad, Deal } from '@bourse/contract';
import { atMost, Badge, grouped, Num, type Tone } from '@bourse/ui';
import { stateOf, type DealState } from '../model/deal.js';

/** An amount of coins with all its digits and the coin's name. */
export const coinText = (amount: string, coin: string): string => `${grouped(atMost(amount, 8))} ${coin}`;
/** An amount of fiat money as the exchange says it. */
export const fiatText = (amount: string, coin: string): string => `${grouped(amount)} ${coin}`;
/** A text that is read from left to right among words of any language. */
export const apart = (text: string): string => `\u2066${text}\u2069`;

export const Coins = ({ amount, coin }: { amount: string; coin: string }) => <Num>{coinText(amount, coin)}</Num>;
export const Fiat = ({ amount, coin }: { amount: string; coin: string }) => <Num>{fiatText(amount, coin)}</Num>;

const TONES: Readonly<Record<DealState, Tone>> = {
  waiting: 'warn',
  paid: 'accent',
  done: 'up',
  cancelled: 'plain',
  appeal: 'down',
  buyerWon: 'info',
  sellerWon: 'info',
};
/** The state of a deal, in two words. */
export function StateBadge({ deal }: { deal: Pick<Deal, 'is_sure' | 'appeal'> }) {
  const { t } = useTranslation();
  const state = stateOf(deal);
  return <Badge tone={TONES[state]}>{t(`deals.state.${state}`)}</Badge>;
}

/** The way of a payment in words. */
export function WayName({ way }: { way: string }) {
  const { t } = useTranslation();
  return <>{t(`deals.way.${way}`)}</>;
}

/** Time to pay: in hours where they are whole. */
export const payTime = (t: TFunction, minutes: number): string =>
  minutes % 60 === 0 ? t('deals.hours', { count: minutes / 60 }) : t('deals.minutes', { count: minutes });

/** The recent record of a partner; counted from deals. */
export type Figures = Pick<Ad, 'deals' | 'done_rate' | 'release_seconds'>;
export function figuresText(t: TFunction, { deals, done_rate, release_seconds }: Figures): string {
  if (deals === 0) return t('deals.noRecord');
  const record = t('deals.record', { count: deals, rate: `\u2066${done_rate} %\u2069` });
  if (release_seconds === 0) return record;
  return `${record} · ${t('deals.releases', { time: payTime(t, Math.ceil(release_seconds / 60)) })}`;
}
export function PayTime({ minutes }: { minutes: number }) {
  const { t } = useTranslation();
  return <>{payTime(t, minutes)}</>;
}
