import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { newIntent } from '@bourse/api-client';
import type { ReferenceCurrency, ReferenceRate } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { useKept } from '../prefs/use-kept.js';
import { api } from './api.js';
import { current } from './i18n.js';
import { useSession } from './session.js';
import { formatWorth } from './worth.js';

const DEFAULT: ReferenceCurrency = 'USD';

/** Rates of approximate values. */
export const referenceRates = queryOptions({
  queryKey: ['reference-rates'],
  staleTime: 30_000,
  refetchInterval: 60_000,
  queryFn: async () => (await api.get('/api/market/rates', {}, { quiet: true })).message,
});

interface Reference {
  /** The rate of the chosen currency; where it has lost its source, that of the dollar. */
  readonly rate: ReferenceRate | undefined;
  readonly rates: readonly ReferenceRate[] | undefined;
  readonly choose: (code: ReferenceCurrency) => void;
}

/** The currency of approximate values: that of the account, else the one that this browser keeps. */
export function useReference(): Reference {
  const { data: rates } = useQuery(referenceRates);
  const own = useSession((session) => session.info?.currency);
  const [kept, setKept] = useKept<ReferenceCurrency>('currency', DEFAULT);
  const chosen = own || kept;
  const choose = useCallback(
    (code: ReferenceCurrency) => {
      setKept(code);
      const { info, token } = useSession.getState();
      if (info) useSession.setState({ info: { ...info, currency: code } });
      if (token !== null)
        api
          .post('/api/set/currency', { currency: code }, { quiet: true, intent: newIntent() })
          .catch((error: unknown) => console.warn('currency not stored on the server', error));
    },
    [setKept],
  );
  const rate = rates?.find(({ code }) => code === chosen) ?? rates?.find(({ code }) => code === DEFAULT);
  return { rate, rates, choose };
}

/** Shows a value in USDT in the reference currency: `≈ $1,234.50`; empty while a value or rate is not known. */
export function useWorth(): (usdt: string) => string {
  const { rate } = useReference();
  // Choosing another language draws its readers again.
  useTranslation();
  const { intlTag } = LOCALES[current()];
  return useCallback(
    (usdt) => {
      const text = rate ? formatWorth(usdt, rate, intlTag) : '';
      return text && `≈ ${text}`;
    },
    [rate, intlTag],
  );
}
