import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '@bourse/contract';
import { cx } from '@bourse/ui';
import { HISTORY_DAYS, historyOf, productsOf, type Day, type DayState } from '../model/status.js';
import { productText } from './state-styles.js';

/** How a day looks: the shorter its bar, the less was open, so that the colour is not needed. */
const DAY_LOOKS: Readonly<Record<DayState, { readonly height: number; readonly fill: string; readonly text: string }>> =
  {
    normal: { height: 32, fill: 'fill-up', text: 'state.mode.normal' },
    part: { height: 22, fill: 'fill-warn', text: 'state.mode.part' },
    halted: { height: 12, fill: 'fill-down', text: 'state.mode.halted' },
    unknown: { height: 4, fill: 'fill-line-strong', text: 'state.historyUnknown' },
  };
const HEIGHT = 32;
const WIDTH = 10;
const minutes = (seconds: number): number => Math.ceil(seconds / 60);
const isOutage = ({ limitedSeconds, downSeconds }: Day): boolean => limitedSeconds + downSeconds > 0;

/** The last 90 days of each product. */
export function History({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="max-w-prose text-table text-t2">{t('state.historyText')}</p>
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-table text-t2">
        {Object.entries(DAY_LOOKS).map(([state, { height, fill, text }]) => (
          <li key={state} className="flex items-center gap-2">
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-4 w-1.5">
              <rect y={HEIGHT - height} width={WIDTH} height={height} className={fill} />
            </svg>
            {t(text)}
          </li>
        ))}
      </ul>
      <ul className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
        {productsOf(status).map(({ name }) => (
          <ProductDays key={name} product={name} history={status.history} />
        ))}
      </ul>
    </>
  );
}

function ProductDays({ product, history }: { product: string; history: ServerStatus['history'] }) {
  const { t } = useTranslation();
  const found = historyOf(history, product);
  const name = t(productText(product));
  if (found === null)
    return (
      <li data-history={product} className="flex justify-between gap-4">
        <span className="font-medium">{name}</span>
        <span className="text-t2">{t('state.historyUnknown')}</span>
      </li>
    );
  const { days, percent } = found;
  const outages = days.filter(isOutage);
  return (
    <li data-history={product} className="flex min-w-0 flex-col gap-1">
      <span className="flex justify-between gap-4">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <span className={cx('shrink-0', outages.length > 0 ? 'text-warn' : 'text-up')}>
          {t('state.historyShare', { percent })}
        </span>
      </span>
      <Bars label={t('state.historyBars', { name, percent, n: outages.length })} days={days} />
      <span aria-hidden dir="ltr" className="flex justify-between text-label text-t2">
        <span>{t('state.historyFrom', { n: HISTORY_DAYS - 1 })}</span>
        <span>{t('state.historyToday')}</span>
      </span>
      {outages.length === 0 ? (
        <p className="text-table text-t2">{t('state.historyNone')}</p>
      ) : (
        <details className="text-table text-t2">
          <summary className="cursor-pointer hover:text-t1">{t('state.historyOutages', { n: outages.length })}</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {outages.map(({ day, limitedSeconds, downSeconds }) => (
              <li key={day}>
                {t('state.historyDay', { day, down: minutes(downSeconds), limited: minutes(limitedSeconds) })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** A bar for each day: time reads from left to right in every script. */
function Bars({ label, days }: { label: string; days: readonly Day[] }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-8 w-full"
    >
      {days.map(({ day, state }, index) => {
        const { height, fill } = DAY_LOOKS[state];
        return (
          <rect
            key={day}
            data-day={day}
            data-state={state}
            x={index * WIDTH + 1}
            y={HEIGHT - height}
            width={WIDTH - 2}
            height={height}
            className={fill}
          />
        );
      })}
    </svg>
  );
}
