import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { useSignedIn } from '../../../core/session.js';
import type { MarketBlock } from '../../../market/stream/market-block.js';
import { Failed } from '../../../parts/failed.js';
import { GuestPrompt } from '../../../parts/guest-prompt.js';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { useCurrencies, useDurations } from '../api/micro.js';
import { useNoPrice } from '../../../market/stream/recorded-prices.js';
import { DurationChoice } from './duration-choice.js';
import { StakeForm } from './stake-form.js';

/** The ticket: how long, in which coin, how much, which way. Guests see what is offered, and the ways in. */
export function StakeTicket({ pair, blocked }: { pair: QuotationItem; blocked: MarketBlock | undefined }) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const { durations, failed, retry } = useDurations();
  const currencies = useCurrencies();
  const [seconds, setSeconds] = useState(0);
  const noPrice = useNoPrice(pair.id, useServerClock());
  const duration = durations?.find((one) => one.seconds === seconds) ?? durations?.[1] ?? durations?.[0];
  if (failed || currencies.failed)
    return (
      <Failed
        retry={() => {
          retry();
          currencies.retry();
        }}
      />
    );
  return (
    <>
      <div className="p-3 pb-0">
        <DurationChoice durations={durations} chosen={duration} onChoose={setSeconds} />
      </div>
      {signedIn ? (
        <StakeForm
          {...{ pair, duration }}
          blocked={blocked ?? (noPrice ? 'stale' : undefined)}
          currencies={currencies.currencies}
        />
      ) : (
        <>
          <p className="px-3 pt-3 text-table text-t2">{t('micro.guest')}</p>
          <GuestPrompt />
        </>
      )}
      <p className="border-t border-line p-3 text-table text-t2">
        {t('micro.fairShort')}{' '}
        <Link to="/fairness" className="text-accent underline">
          {t('nav.fairness')}
        </Link>
      </p>
    </>
  );
}
