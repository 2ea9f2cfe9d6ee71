import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Button, Empty, Skeleton } from '@bourse/ui';
import { pairsOf } from '../../../../core/market.js';
import { usePair } from '../../../../market/pair/use-pair.js';
import { Failed } from '../../../../parts/failed.js';
import type { PracticeRecord } from '../../model/practice/practice-record.js';
import { PracticeDesk } from './practice-desk.js';
import { PracticeOutcome } from './practice-outcome.js';
import { PracticeSetup } from './practice-setup.js';
import { newRecord, useKeptPractice, usePracticeSession, usePracticeView } from './use-practice.js';
import type { PracticeSession } from '../../model/practice/practice-session.js';

/** Practice on a recorded day, with a result at its end. It continues where this browser stopped. */
export default function PracticeScreen() {
  const { t } = useTranslation();
  const { pair, groups, failed, retry, choose } = usePair();
  const [record, setRecord] = useKeptPractice();
  if (failed)
    return <Empty action={<Button onClick={retry}>{t('common.retry')}</Button>}>{t('common.loadFailed')}</Empty>;
  if (!pair || !groups || record === undefined) return <Skeleton className="m-4 h-80" />;
  const practised = record && pairsOf(groups).find(({ symbol }) => symbol === record.terms.symbol);
  if (!record || !practised)
    return (
      <PracticeSetup
        pair={pair}
        groups={groups}
        onPair={choose}
        onStart={(day, start) => setRecord(newRecord(pair, day, start))}
      />
    );
  return <KeptPractice key={record.terms.symbol} {...{ record, groups, setRecord }} pair={practised} />;
}

interface KeptProps {
  record: PracticeRecord;
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  setRecord: (record: PracticeRecord | null) => void;
}

function KeptPractice({ record, pair, groups, setRecord }: KeptProps) {
  const { t } = useTranslation();
  const { session, failed, retry, read } = usePracticeSession(record, pair);
  if (failed) return <Failed retry={retry} />;
  if (!session)
    return (
      <div className="flex flex-col gap-3 p-4">
        <p role="status" className="text-t2">
          {t('practice.reading')} {read > 0 && t('practice.readTrades', { count: read })}
        </p>
        <Skeleton className="h-80" />
      </div>
    );
  return (
    <Practice
      {...{ session, pair, groups }}
      onAgain={() => setRecord(newRecord(pair, record.day, record.start))}
      onAnother={() => setRecord(null)}
    />
  );
}

function Practice({
  session,
  pair,
  groups,
  onAgain,
  onAnother,
}: {
  session: PracticeSession;
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onAgain: () => void;
  onAnother: () => void;
}) {
  const view = usePracticeView(session);
  return view.ended ? (
    <PracticeOutcome {...{ session, view, pair, onAgain, onAnother }} />
  ) : (
    <PracticeDesk {...{ session, view, pair, groups }} />
  );
}
