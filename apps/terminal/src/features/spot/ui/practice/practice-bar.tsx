import { Pause, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Badge, Button, Change, Dialog, formatBookPrice, grouped, fixed, Num, Segmented, Select } from '@bourse/ui';
import { hoursOf, type PracticeSession, type PracticeView } from '../../model/practice/practice-session.js';
import { SPEEDS, type Speed } from '../../model/practice/replay-clock.js';
import { dateText } from './practice-setup.js';

const timeText = (at: number): string => new Date(at).toISOString().slice(11, 19);
const hourText = (at: number): string => timeText(at).slice(0, 5);
const ICON_PX = 16;

interface Props {
  session: PracticeSession;
  view: PracticeView;
  pair: QuotationItem;
}

/** The day and its clock, with the price, the account and the end. */
export function PracticeBar({ session, view, pair }: Props) {
  const { t } = useTranslation();
  const [ending, setEnding] = useState(false);
  const { clock, result, isUntouched } = view;
  const { day } = session.practice;
  const hours = hoursOf(day.start).filter((at) => isUntouched || at > clock.at);
  return (
    <div className="shrink-0 border-b border-line bg-bg1">
      <div className="flex min-h-14 flex-wrap items-center gap-x-5 gap-y-2 px-4 py-1.5 max-md:gap-x-3 max-md:px-2">
        <h1 className="flex items-center gap-2 text-title font-semibold whitespace-nowrap">
          <Badge tone="accent">{t('practice.label')}</Badge>
          <Num>{pair.symbol}</Num>
        </h1>
        <Num className="text-last font-semibold max-md:text-title">{formatBookPrice(view.last, pair.price_scale)}</Num>
        <div className="flex items-center gap-2">
          <Button
            size="small"
            aria-label={t(clock.isRunning ? 'practice.pause' : 'practice.play')}
            title={t(clock.isRunning ? 'practice.pause' : 'practice.play')}
            onClick={() => session.toggle()}
            className="size-9 shrink-0"
          >
            {clock.isRunning ? <Pause size={ICON_PX} aria-hidden /> : <Play size={ICON_PX} aria-hidden />}
          </Button>
          <Segmented
            label={t('practice.speed')}
            value={String(clock.speed)}
            onChange={(speed) => session.setSpeed(Number(speed) as Speed)}
            choices={SPEEDS.map((speed) => ({ value: String(speed), label: <Num>{`${speed}×`}</Num> }))}
          />
          <Select
            hideLabel
            label={t('practice.goTo')}
            value=""
            options={[
              { value: '', label: t('practice.goTo') },
              ...hours.map((at) => ({ value: String(at), label: hourText(at) })),
            ]}
            onChange={(at) => at !== '' && session.seek(Number(at))}
          />
          <Button size="small" className="h-9 shrink-0" onClick={() => setEnding(true)}>
            <Square size={ICON_PX} aria-hidden className="md:hidden" />
            <span className="max-md:sr-only">{t('practice.end')}</span>
          </Button>
        </div>
        <div className="whitespace-nowrap">
          <span className="block text-label text-t2">{t('practice.clock')}</span>
          <Num className="font-medium">
            {dateText(day.start)} {timeText(Math.min(clock.at, session.end - 1))}
          </Num>
        </div>
        <div className="whitespace-nowrap">
          <span className="block text-label text-t2">{t('practice.equity')}</span>
          <Num className="font-medium">
            {grouped(fixed(result.equity, 2))} {pair.legal_name}
          </Num>
        </div>
        <div className="whitespace-nowrap">
          <span className="block text-label text-t2">{t('practice.profit')}</span>
          <Change value={result.profitPercent} />
        </div>
      </div>
      <p className="border-t border-line px-4 py-1 text-table text-accent max-md:px-2">
        {t('practice.banner', {
          trades: `\u2066${grouped(String(day.sources.trades))}\u2069`,
          minutes: `\u2066${grouped(String(day.sources.minutes))}\u2069`,
        })}
      </p>
      <Dialog
        open={ending}
        onClose={() => setEnding(false)}
        title={t('practice.end')}
        description={t('practice.endText')}
        closeLabel={t('common.close')}
        actions={
          <>
            <Button onClick={() => setEnding(false)}>{t('common.cancel')}</Button>
            <Button kind="primary" onClick={() => session.finish()}>
              {t('practice.end')}
            </Button>
          </>
        }
      />
    </div>
  );
}
