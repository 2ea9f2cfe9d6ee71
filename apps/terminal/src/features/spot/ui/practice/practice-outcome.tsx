import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Badge, Button, fixed, grouped, Num, Panel } from '@bourse/ui';
import { formatUnits } from '@bourse/money';
import type { EquityPoint } from '../../model/practice/practice-market.js';
import type { PracticeSession, PracticeView } from '../../model/practice/practice-session.js';
import { PracticeFigures } from './practice-figures.js';
import { PracticeFills } from './practice-orders.js';
import { dateText } from './practice-setup.js';

interface Props {
  session: PracticeSession;
  view: PracticeView;
  pair: QuotationItem;
  onAgain: () => void;
  onAnother: () => void;
}

/** The result of a practice, with the way to the next one. */
export function PracticeOutcome({ session, view, pair, onAgain, onAnother }: Props) {
  const { t } = useTranslation();
  const { curve, day, market } = session.practice;
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-4 overflow-auto p-4">
      <header className="flex items-end gap-3 max-md:flex-wrap">
        <div className="flex min-w-0 flex-1 flex-col gap-1 max-md:basis-full">
          <Badge tone="accent" className="self-start">
            {t('practice.label')}
          </Badge>
          <h1 className="text-last font-semibold">{t('practice.resultTitle')}</h1>
          <p className="text-t2">
            <Num>{pair.symbol}</Num> · <Num>{dateText(day.start)}</Num>
          </p>
        </div>
        <Button onClick={onAnother}>{t('practice.another')}</Button>
        <Button kind="primary" onClick={onAgain}>
          {t('practice.again')}
        </Button>
      </header>
      <Panel className="p-4">
        <PracticeFigures result={view.result} coin={pair.legal_name} />
      </Panel>
      <Panel className="flex flex-col gap-2 p-4">
        <h2 className="text-title font-semibold">{t('practice.curve')}</h2>
        <EquityLine curve={curve} scale={market.quoteScale} coin={pair.legal_name} />
      </Panel>
      <Panel className="flex flex-col overflow-hidden">
        <h2 className="p-4 pb-1 text-title font-semibold">{t('orders.fills')}</h2>
        <PracticeFills fills={view.fills} pair={pair} />
      </Panel>
    </div>
  );
}

/** Minutes before the first fill that are shown. */
const LEAD = 15;

/** The curve without its even beginning, in which nothing was done yet. */
function fromFirstChange(curve: readonly EquityPoint[]): readonly EquityPoint[] {
  const changed = curve.findIndex(({ equity }) => equity !== curve[0]?.equity);
  return changed < 0 ? curve : curve.slice(Math.max(0, changed - LEAD));
}

const WIDTH = 1_000;
const HEIGHT = 200;

/** Equity over the day. The scale is relative: money becomes a place on the screen here, and nothing else. */
function EquityLine({ curve: whole, scale, coin }: { curve: readonly EquityPoint[]; scale: number; coin: string }) {
  const { t } = useTranslation();
  const curve = fromFirstChange(whole);
  const first = curve[0];
  if (!first || curve.length < 2) return <p className="text-t2">{t('practice.noCurve')}</p>;
  const values = curve.map(({ equity }) => equity);
  const low = values.reduce((least, one) => (one < least ? one : least));
  const high = values.reduce((most, one) => (one > most ? one : most));
  const place = (equity: bigint): number =>
    high === low ? HEIGHT / 2 : HEIGHT - Number(((equity - low) * BigInt(HEIGHT * 100)) / (high - low)) / 100;
  const span = curve.at(-1)!.at - first.at;
  const points = curve.map(({ at, equity }) => `${(((at - first.at) / span) * WIDTH).toFixed(1)},${place(equity)}`);
  const money = (units: bigint): string => `${grouped(fixed(formatUnits(units, scale), 2))} ${coin}`;
  return (
    <figure className="flex flex-col gap-1" dir="ltr">
      <Num className="text-label text-t2">{money(high)}</Num>
      <svg
        role="img"
        aria-label={t('practice.curveLabel', { low: money(low), high: money(high) })}
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        className="h-48 w-full text-accent"
      >
        <line
          x1={0}
          x2={WIDTH}
          y1={place(first.equity)}
          y2={place(first.equity)}
          className="stroke-line-strong"
          strokeDasharray="6 6"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={points.join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <Num className="text-label text-t2">{money(low)}</Num>
    </figure>
  );
}
