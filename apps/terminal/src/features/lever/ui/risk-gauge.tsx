import { useTranslation } from 'react-i18next';
import { cx, fixed, Num } from '@bourse/ui';
import { gaugeAt, riskLevel } from '../model/positions.js';

const TONE = { none: 'text-t2', safe: 'text-up', watch: 'text-warn', danger: 'text-down' } as const;
const FILL = { none: 'bg-bg3', safe: 'bg-up', watch: 'bg-warn', danger: 'bg-down' } as const;

/** The risk rate as a figure, a length and a word: never by colour alone. */
export function RiskGauge({ rate, burst = '110' }: { rate: string; burst?: string | undefined }) {
  const { t } = useTranslation();
  const level = riskLevel(rate, burst);
  const words = t(`lever.risk.${level}`);
  return (
    <div className="flex min-w-36 flex-col gap-1" title={t('lever.riskText', { burst: fixed(burst, 0) })}>
      <span className="flex items-baseline justify-between gap-2 whitespace-nowrap">
        <span className="text-label text-t2">{t('lever.rate')}</span>
        <span className={cx('text-table font-medium', TONE[level])}>
          {level === 'none' ? words : <Num>{`${fixed(rate, 2)}%`}</Num>}
          {level !== 'none' && ` ${words}`}
        </span>
      </span>
      <div
        role="meter"
        aria-label={t('lever.rate')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={level === 'none' ? 100 : Math.round(gaugeAt(rate, burst))}
        aria-valuetext={level === 'none' ? words : `${fixed(rate, 2)}% ${words}`}
        dir="ltr"
        className="h-1.5 overflow-hidden rounded-full bg-bg3"
      >
        <div
          className={cx('h-full', FILL[level])}
          style={{ width: `${level === 'none' ? 0 : gaugeAt(rate, burst)}%` }}
        />
      </div>
    </div>
  );
}
