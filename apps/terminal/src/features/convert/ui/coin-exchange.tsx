import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Button, Panel, Select, Skeleton } from '@bourse/ui';
import { pairsOf, useQuotations } from '../../../core/market.js';
import { Failed } from '../../../parts/failed.js';
import { coinsOf, jointOf } from '../model/convert.js';
import { ConvertForm } from './convert-form.js';

/** One coin into another by a market order on the pair that joins them, its price shown before (api §5). */
export default function CoinExchange() {
  const { t } = useTranslation();
  const { groups, failed, retry } = useQuotations();
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-last font-semibold">{t('nav.convert')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('convert.lead')}</p>
      </div>
      <Panel className="max-w-xl p-4">
        {failed ? (
          <Failed retry={retry} />
        ) : groups ? (
          <Chooser pairs={pairsOf(groups)} />
        ) : (
          <Skeleton className="h-80 w-full" />
        )}
      </Panel>
    </div>
  );
}

function Chooser({ pairs }: { pairs: readonly QuotationItem[] }) {
  const { t } = useTranslation();
  const coins = coinsOf(pairs);
  const first = pairs[0];
  const [from, setFrom] = useState(first?.legal_id ?? 0);
  const [to, setTo] = useState(first?.currency_id ?? 0);
  const joint = jointOf(pairs, from, to);
  const nameOf = (id: number): string => coins.find((coin) => coin.id === id)?.name ?? '';
  const options = (without?: number) =>
    coins.filter(({ id }) => id !== without).map(({ id, name }) => ({ value: String(id), label: name }));
  const swap = (): void => {
    setFrom(to);
    setTo(from);
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-2">
        <Select
          label={t('wallet.from')}
          value={String(from)}
          onChange={(id) => (Number(id) === to ? swap() : setFrom(Number(id)))}
          options={options()}
        />
        <Button kind="quiet" aria-label={t('wallet.swap')} onClick={swap}>
          <ArrowLeftRight size={16} aria-hidden />
        </Button>
        <Select
          label={t('wallet.to')}
          value={String(to)}
          onChange={(id) => setTo(Number(id))}
          options={options(from)}
        />
      </div>
      {joint ? (
        <ConvertForm
          key={`${from}/${to}`}
          joint={joint}
          from={{ id: from, name: nameOf(from) }}
          to={{ id: to, name: nameOf(to) }}
        />
      ) : (
        <p role="status" className="rounded-panel bg-bg2 p-4 text-t2">
          {t('convert.noPair', { from: nameOf(from), to: nameOf(to) })}
        </p>
      )}
    </div>
  );
}
