import { useTranslation } from 'react-i18next';
import type { Insurance, InsuranceType } from '@bourse/contract';
import { COIN_SCALE, policyStage } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { atMost, cx, grouped, Num } from '@bourse/ui';
import { policyFigures, termsOf, vaultPercent } from '../model/insurance.js';

const LOOKS = { trade: 'bg-accent', claim: 'bg-down', end: 'bg-up' } as const;

/** The vault between the mark where it must be claimed and the one where it ends at profit: bar, marks, words. */
export function VaultGauge({ policy, type }: { policy: Insurance; type: InsuranceType }) {
  const { t } = useTranslation();
  const terms = termsOf(type);
  const figures = policyFigures(policy.amount, type);
  const stands = policyStage(toUnits(policy.amount, COIN_SCALE), toUnits(policy.vault, COIN_SCALE), terms);
  const part = (text: string): number => Math.min(100, (Number(text) / Number(figures.endAt)) * 100);
  const money = (text: string): string => `${grouped(atMost(text, 8))} ${policy.currency_name}`;
  const words = t(`insurance.stands.${stands}`);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap justify-between gap-2 text-table">
        <span>
          {t('insurance.vault')}{' '}
          <Num className="font-medium">
            {money(policy.vault)} ({vaultPercent(policy)} %)
          </Num>
        </span>
        <span className={cx(stands === 'claim' && 'text-down', stands === 'end' && 'text-up')}>{words}</span>
      </div>
      <div
        role="meter"
        aria-label={t('insurance.vault')}
        aria-valuemin={0}
        aria-valuemax={Number(figures.endAt)}
        aria-valuenow={Math.min(Number(policy.vault), Number(figures.endAt))}
        aria-valuetext={`${money(policy.vault)}. ${words}`}
        className="relative h-3 overflow-hidden rounded-full bg-bg3"
      >
        <div className={cx('h-full', LOOKS[stands])} style={{ width: `${part(policy.vault)}%` }} />
        <div className="absolute inset-y-0 w-0.5 bg-t1" style={{ insetInlineStart: `${part(figures.claimAt)}%` }} />
      </div>
      <div className="flex justify-between gap-2 text-label text-t2">
        <span>
          {t('insurance.claimMark')} <Num>{money(figures.claimAt)}</Num>
        </span>
        <span className="text-end">
          {t('insurance.endMark')} <Num>{money(figures.endAt)}</Num>
        </span>
      </div>
    </div>
  );
}
