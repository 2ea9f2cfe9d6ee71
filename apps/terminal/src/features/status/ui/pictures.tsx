import { useTranslation } from 'react-i18next';
import { Num } from '@bourse/ui';
import { KEPT, placeOf, shareOfAge, type Asked } from '../model/status.js';

/** A picture of a time: it reads from left to right in every script, as its numbers do. */
const LINE = 'h-3 w-full';

/** The age of the newest price on a bar; the mark in its middle is the age at which nobody trades on it any more. */
export function AgeBar({ ageMs }: { ageMs: number }) {
  const share = shareOfAge(ageMs);
  return (
    <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className={LINE}>
      <rect y="1" width="100" height="4" className="fill-bg3" />
      <rect y="1" width={Math.max(1, share)} height="4" className={share > 50 ? 'fill-down' : 'fill-up'} />
      <rect x="49.75" width="0.5" height="6" className="fill-t1" />
    </svg>
  );
}

/** The median and the 99th percentile of order times, between 1 ms and 10 s. */
export function Spread({ name, p50, p99 }: { name: string; p50: number; p99: number }) {
  const { t } = useTranslation();
  const [half, most] = [placeOf(p50), placeOf(p99)];
  return (
    <div className="flex flex-col gap-1">
      <span className="text-table text-t2">{name}</span>
      <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className={LINE}>
        <rect y="2" width="100" height="2" className="fill-bg3" />
        {[25, 50, 75].map((x) => (
          <rect key={x} x={x} width="0.25" height="6" className="fill-line-strong" />
        ))}
        <rect x={half} y="1" width={Math.max(1, most - half)} height="4" className="fill-accent" />
      </svg>
      <span className="flex flex-wrap justify-between gap-x-4 text-label text-t2">
        <span>{t('state.half', { ms: p50 })}</span>
        <span>{t('state.most', { ms: p99 })}</span>
      </span>
    </div>
  );
}

/** Names of the lines in the pictures above. */
export const Scale = () => (
  <span aria-hidden dir="ltr" className="flex justify-between text-label text-t2">
    {['1 ms', '10 ms', '100 ms', '1 s', '10 s'].map((text) => (
      <Num key={text}>{text}</Num>
    ))}
  </span>
);

const WIDTH = 10;
/** Each question since this page was opened is a bar, as high as its answer was slow; without an answer it is full. */
export function Pulse({ asked }: { asked: readonly Asked[] }) {
  const { t } = useTranslation();
  const answered = asked.filter(({ tookMs }) => tookMs !== undefined).length;
  const sum = t('state.answered', { ok: answered, all: asked.length });
  const from = (KEPT - asked.length) * WIDTH;
  return (
    <figure className="flex flex-col gap-1" data-answered={answered} data-asked={asked.length}>
      <svg
        role="img"
        aria-label={sum}
        viewBox={`0 0 ${KEPT * WIDTH} 50`}
        preserveAspectRatio="none"
        className="h-12 w-full"
      >
        <rect y="49" width={KEPT * WIDTH} height="1" className="fill-line" />
        {asked.map(({ at, tookMs }, index) => {
          const height = tookMs === undefined ? 50 : Math.max(4, placeOf(tookMs) / 2);
          return (
            <rect
              key={`${at} ${tookMs === undefined ? 'no' : 'yes'}`}
              x={from + index * WIDTH + 1}
              y={50 - height}
              width={WIDTH - 2}
              height={height}
              className={tookMs === undefined ? 'fill-down' : 'fill-up'}
            />
          );
        })}
      </svg>
      <figcaption className="text-table text-t2">{sum}</figcaption>
    </figure>
  );
}
