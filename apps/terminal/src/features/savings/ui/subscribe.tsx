import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SavingsCurrency } from '@bourse/contract';
import { Empty, Panel, Segmented, Skeleton } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { Failed } from '../../../parts/failed.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useSavingsCurrencies, useSavingsTerms } from '../api/savings.js';
import { outcomeOf, shownAmount } from '../model/savings.js';
import { rateText } from './money.js';
import { OutcomePanel } from './outcome.js';
import { SubscribeForm } from './subscribe-form.js';
import { TermChoice } from './term-choice.js';

/** Savings: terms and what comes out of them, open to everybody; who is signed in subscribes. */
export default function Subscribe() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const currencies = useSavingsCurrencies();
  const [chosen, setChosen] = useState<number>();
  const currency = currencies.data?.find(({ id }) => id === chosen) ?? currencies.data?.[0];
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-4 p-4">
      <div>
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h1 className="text-last font-semibold">{t('nav.savings')}</h1>
          {signedIn && (
            <Link to="/manageList" className="text-body underline hover:text-t1">
              {t('nav.savingsOrders')}
            </Link>
          )}
        </div>
        <p className="mt-1 max-w-prose text-t2">{t('savings.lead')}</p>
      </div>
      {currencies.isError && !currencies.data ? (
        <Failed retry={() => void currencies.refetch()} />
      ) : !currencies.data ? (
        <Skeleton className="h-96 w-full" />
      ) : !currency ? (
        <Empty>{t('savings.none')}</Empty>
      ) : (
        <>
          <Segmented
            label={t('common.coin')}
            value={String(currency.id)}
            onChange={(id) => setChosen(Number(id))}
            choices={currencies.data.map(({ id, name, max_rate: rate }) => ({
              value: String(id),
              label: (
                <>
                  {name} · {t('savings.upTo', { rate: `\u2066${rateText(rate)}\u2069` })}
                </>
              ),
            }))}
          />
          <Offer key={currency.id} currency={currency} />
        </>
      )}
    </div>
  );
}

/** The terms of one coin, the form, and what comes out. */
function Offer({ currency }: { currency: SavingsCurrency }) {
  const { t } = useTranslation();
  const terms = useSavingsTerms(currency.id);
  const now = useServerClock();
  const [chosen, setChosen] = useState<number>();
  const [amount, setAmount] = useState('');
  if (terms.isError && !terms.data) return <Failed retry={() => void terms.refetch()} />;
  if (!terms.data) return <Skeleton className="h-96 w-full" />;
  const config = terms.data.find(({ id }) => id === chosen) ?? terms.data[0];
  if (!config) return <Empty>{t('savings.none')}</Empty>;
  const shown = shownAmount(amount, config);
  const outcome = outcomeOf(shown, config, now);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <Panel className="flex flex-col gap-4 p-4">
        <TermChoice terms={terms.data} chosen={config} onChoose={setChosen} />
        <SubscribeForm
          key={config.id}
          currency={currency}
          config={config}
          amount={amount}
          onAmount={setAmount}
          outcome={outcome}
        />
      </Panel>
      <div className="flex min-w-0 flex-col gap-2">
        <OutcomePanel amount={shown} coin={currency.name} config={config} outcome={outcome} />
        <p className="text-table text-t2">{t('savings.note')}</p>
      </div>
    </div>
  );
}
