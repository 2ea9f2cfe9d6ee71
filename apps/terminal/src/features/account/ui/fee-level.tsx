import { useTranslation } from 'react-i18next';
import type { FeeLevelView } from '@bourse/contract';
import { grouped, Num, Panel, Skeleton, Stat, Table } from '@bourse/ui';
import { useFeeLevel } from '../../../core/fee-level.js';
import { Failed } from '../../../parts/failed.js';
import { PageTitle, Section } from './parts.js';

type Level = FeeLevelView['levels'][number];

/** The person's level of spot fees, what is missing to the next one, and all levels. */
export default function FeeLevel() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useFeeLevel();
  return (
    <>
      <PageTitle lead={t('fees.lead')}>{t('nav.fees')}</PageTitle>
      {isError && !data ? (
        <Failed retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-60 w-full" />
      ) : (
        <div className="flex flex-col gap-4">
          <Own own={data} />
          <Levels own={data} />
        </div>
      )}
    </>
  );
}

const part = (percent: string) => `${percent} %`;

function Own({ own }: { own: FeeLevelView }) {
  const { t } = useTranslation();
  return (
    <Panel className="flex flex-col gap-4 p-4">
      <h2 className="text-title font-semibold">{t('fees.level', { level: own.level })}</h2>
      <div className="grid gap-4 md:grid-cols-3">
        <Stat
          label={t('fees.turnover')}
          value={grouped(own.turnover_30d)}
          unit="USDT"
          {...(own.until !== '' ? { hint: t('fees.until', { day: `\u2066${own.until}\u2069` }) } : {})}
        />
        <Stat label={t('fees.maker')} value={part(own.maker_percent)} />
        <Stat label={t('fees.taker')} value={part(own.taker_percent)} />
      </div>
      <Next own={own} />
    </Panel>
  );
}

function Next({ own: { next, turnover_30d: turnover, levels } }: { own: FeeLevelView }) {
  const { t } = useTranslation();
  if (!next) return levels.length > 0 ? <p className="text-t2">{t('fees.highest')}</p> : null;
  const reached = Math.min(100, (Number(turnover) / Number(next.turnover)) * 100);
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      <p>{t('fees.missing', { amount: `\u2066${grouped(next.missing)}\u2069`, level: next.level })}</p>
      <span aria-hidden className="h-1 overflow-hidden rounded-chip bg-bg3">
        <span className="block h-full bg-info" style={{ width: `${reached}%` }} />
      </span>
    </div>
  );
}

function Levels({ own }: { own: FeeLevelView }) {
  const { t } = useTranslation();
  const rows = own.levels.length > 0 ? [WHOLE, ...own.levels] : own.levels;
  return (
    <Section title={t('fees.table')}>
      <Table<Level>
        label={t('fees.table')}
        rows={rows}
        rowKey={({ level }) => String(level)}
        empty={t('fees.none')}
        columns={[
          {
            id: 'level',
            header: t('fees.table'),
            card: 'title',
            cell: ({ level }) => (
              <span className={level === own?.level ? 'font-semibold' : undefined}>{t('fees.level', { level })}</span>
            ),
          },
          {
            id: 'turnover',
            header: t('fees.from'),
            end: true,
            cell: ({ turnover }) => <Num>{`${grouped(turnover)} USDT`}</Num>,
          },
          { id: 'maker', header: t('fees.maker'), end: true, cell: (row) => <Num>{part(row.maker_percent)}</Num> },
          { id: 'taker', header: t('fees.taker'), end: true, cell: (row) => <Num>{part(row.taker_percent)}</Num> },
        ]}
      />
    </Section>
  );
}

/** The rates below the first level. */
const WHOLE: Level = { level: 0, turnover: '0', maker_percent: '100', taker_percent: '100' };
