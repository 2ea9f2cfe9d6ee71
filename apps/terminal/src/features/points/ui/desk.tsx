import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Points } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { atMost, Button, DescriptionList, Form, formatBalance, grouped, Num, Panel, Skeleton, Stat } from '@bourse/ui';
import { ApiError } from '../../../core/api.js';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { hasProblems } from '../../../forms/problems.js';
import { Failed } from '../../../parts/failed.js';
import { Note } from '../../../parts/note.js';
import { NumberField } from '../../../parts/number-field.js';
import { usePoints, type PointsAccess } from '../api/points.js';
import { coinsFor, exchangeProblems, shownPrice } from '../model/points.js';
import { ExchangeDialog } from './exchange-dialog.js';
import { History } from './history.js';

/** From a failure of the figures to the binding, so that its words can be read (rules §16). */
const TO_BINDING_MS = 1_000;

/** Points, what they are exchanged at, and what was exchanged. */
export function Desk({ access, onBind }: { access: PointsAccess; onBind: () => void }) {
  const { t } = useTranslation();
  const points = usePoints(access);
  const { data, error } = points;
  const refused = error instanceof ApiError && error.key === 'jc.notBound' && !data ? error.message : undefined;
  useEffect(() => {
    if (refused === undefined) return undefined;
    const timer = setTimeout(onBind, TO_BINDING_MS);
    return () => clearTimeout(timer);
    // The words and the way are announced once for each refusal, however often the page is drawn meanwhile.
  }, [refused]);
  if (refused !== undefined)
    return (
      <p role="alert" className="rounded-panel border border-line p-6 text-center text-t2">
        {refused}
      </p>
    );
  if (points.isError && !points.data) return <Failed retry={() => void points.refetch()} />;
  return (
    <>
      <Panel className="grid gap-4 p-4 md:grid-cols-3">
        <Stat label={t('points.balance')} value={points.data && formatBalance(points.data.jc_integral)} />
        <Stat
          label={t('points.free')}
          value={points.data && formatBalance(points.data.free_jc_integral)}
          hint={t('points.freeHint')}
        />
        <Stat
          label={t('points.price')}
          value={points.data && grouped(shownPrice(points.data))}
          unit={points.data ? `USDT / ${points.data.currency_name}` : ''}
        />
      </Panel>
      <Panel className="p-4">
        {points.data ? <ExchangeForm access={access} points={points.data} /> : <Skeleton className="h-56 w-full" />}
      </Panel>
      <History access={access} />
    </>
  );
}

/** Points to be exchanged with about what they come to, then the question. */
function ExchangeForm({ access, points }: { access: PointsAccess; points: Points }) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const problems = exchangeProblems(amount, points);
  const coins = coinsFor(amount, points);
  const openConfirmation = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    setAsking(!hasProblems(problems));
  };
  return (
    <Form onSubmit={openConfirmation} aria-label={t('points.exchange')} className="flex max-w-md flex-col gap-4">
      <NumberField
        label={t('points.amount')}
        name="use_number"
        scale={COIN_SCALE}
        value={amount}
        onTyped={setAmount}
        error={tried && problems.amount ? t(problems.amount) : undefined}
        suffix={
          <Button kind="quiet" size="small" onClick={() => setAmount(atMost(points.free_jc_integral, COIN_SCALE))}>
            {t('common.all')}
          </Button>
        }
      />
      <DescriptionList
        facts={[
          {
            id: 'worth',
            name: t('points.worth'),
            value: <Num>{`${atMost(points.jc_price, 8)} USDT`}</Num>,
          },
          { id: 'fee', name: t('points.fee'), value: <Num>{`${atMost(points.jc_exchange_fee, 6)} %`}</Num> },
          {
            id: 'coins',
            name: t('points.about'),
            value: (
              <output aria-live="polite">
                <Num className="text-body font-medium text-t1">
                  {coins === undefined ? '–' : `≈ ${grouped(coins)} ${points.currency_name}`}
                </Num>
              </output>
            ),
          },
        ]}
      />
      <Note>
        <p>{t('points.final')}</p>
      </Note>
      <Button kind="primary" size="main" type="submit">
        {t('points.exchange')}
      </Button>
      {asking && (
        <ExchangeDialog
          access={access}
          amount={toDecimalText(amount)}
          coins={`${grouped(coins ?? '0')} ${points.currency_name}`}
          onDone={() => {
            setAmount('');
            setTried(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}
