import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { parseAmount, toUnits } from '@bourse/money';
import { Badge, Button, Form, formatChange, Num, Panel, Segmented, Select, Skeleton } from '@bourse/ui';
import { pairsOf } from '../../../../core/market.js';
import { Failed } from '../../../../parts/failed.js';
import { NumberField } from '../../../../parts/number-field.js';
import { readDays, type OfferedDay } from '../../api/practice-day.js';

const AMOUNTS = ['1000', '10000', '100000'] as const;
const SCALE = 2;
/** Least amount to practise with, in units of `SCALE`. */
const LEAST = toUnits('1', SCALE);
/** For how long a list of days is current. */
const STALE_MS = 600_000;
const RULES = ['practice.ruleLimit', 'practice.ruleMarket', 'practice.ruleStop', 'practice.ruleFees'] as const;

/** Day of the record as a date, with how the price moved. */
const dayLabel = ({ start, bar: { open, close } }: OfferedDay): string => {
  const change = open > 0 ? formatChange((((close - open) / open) * 100).toFixed(2)) : '';
  return `\u2066${dateText(start)}  ${change}\u2069`;
};
export const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

interface Props {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onPair: (pair: QuotationItem) => void;
  onStart: (day: number, amount: string) => void;
}

/** Chooses pair, day and practice money, and says how orders are filled. */
export function PracticeSetup({ pair, groups, onPair, onStart }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const [amount, setAmount] = useState<string>(AMOUNTS[1]);
  const pairs = pairsOf(groups);
  const {
    data: days,
    isError,
    refetch,
  } = useQuery({ queryKey: ['practice', 'days', pair.symbol], staleTime: STALE_MS, queryFn: () => readDays(pair) });
  const day = days?.find(({ start }) => String(start) === chosen) ?? days?.[0];
  const parsed = parseAmount(amount, SCALE);
  const isEnough = parsed.ok && parsed.units >= LEAST;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (day && isEnough) onStart(day.start, amount);
  };
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-4 overflow-auto p-4">
      <header className="flex flex-col gap-2">
        <Badge tone="accent" className="self-start">
          {t('practice.label')}
        </Badge>
        <h1 className="text-balance font-semibold max-md:text-last">{t('practice.title')}</h1>
        <p className="max-w-2xl text-t2">{t('practice.lead')}</p>
      </header>
      <div className="grid gap-4 md:grid-cols-2">
        <Panel className="p-4">
          <Form onSubmit={submit} aria-label={t('practice.title')} className="flex flex-col gap-4">
            <Select
              label={t('practice.pair')}
              value={pair.symbol}
              options={pairs.map(({ symbol }) => ({ value: symbol, label: symbol }))}
              onChange={(symbol) => {
                const next = pairs.find((one) => one.symbol === symbol);
                if (next) onPair(next);
              }}
            />
            {isError && !days ? (
              <Failed retry={() => void refetch()} />
            ) : !days ? (
              <Skeleton className="h-16" />
            ) : day ? (
              <Select
                label={t('practice.day')}
                value={String(day.start)}
                options={days.map((one) => ({ value: String(one.start), label: dayLabel(one) }))}
                onChange={setChosen}
              />
            ) : (
              <p role="status" className="text-warn">
                {t('practice.noDays')}
              </p>
            )}
            <NumberField
              label={t('practice.amount')}
              suffix={<Num>{pair.legal_name}</Num>}
              scale={SCALE}
              value={amount}
              onTyped={setAmount}
            />
            <Segmented
              label={t('practice.amount')}
              value={amount}
              onChange={setAmount}
              choices={AMOUNTS.map((value) => ({ value, label: <Num>{Number(value).toLocaleString('en')}</Num> }))}
            />
            <Button type="submit" kind="primary" size="main" disabled={!day || !isEnough}>
              {t('practice.start')}
            </Button>
          </Form>
        </Panel>
        <Panel className="flex flex-col gap-3 p-4">
          <h2 className="text-title font-semibold">{t('practice.rules')}</h2>
          <ul className="flex list-disc flex-col gap-2 ps-5 text-t2">
            {RULES.map((rule) => (
              <li key={rule}>{t(rule)}</li>
            ))}
          </ul>
        </Panel>
      </div>
    </div>
  );
}
