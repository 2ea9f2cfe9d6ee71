import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { COIN_CODES, WAYS, type Ad, type CoinCode, type Way } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, DescriptionList, Form, formatBalance, Num, Select } from '@bourse/ui';
import { FormError } from '../../forms/form-card.js';
import { useIntentForm } from '../../forms/use-form.js';
import { FundPasswordField } from '../../parts/fund-password-field.js';
import { NumberField } from '../../parts/number-field.js';
import { adProblems, toSentDraft, dealFigures, EMPTY_AD, PAY_MINUTES, PRICE_SCALE, type AdDraft } from '../model/ad.js';
import { apart, Coins, Fiat, payTime } from './words.js';

/** The fields of an ad as both calls that publish take them. */
export interface AdFields {
  readonly total_number: string;
  readonly price: string;
  readonly way: Way;
  readonly coin_code: CoinCode;
  readonly currency_id: number;
  readonly type: Ad['type'];
  readonly limit_minutes: string;
  readonly min_number?: string;
  readonly max_number?: string;
  readonly password: string;
}

/** A box that publishes an ad: what its owner does, with the totals and the fee counted while it is typed. */
export function AdForm({
  type,
  coin,
  feeRate,
  available,
  availableName,
  needsLimits = false,
  send,
}: {
  type: Ad['type'];
  coin: { readonly id: number; readonly name: string };
  /** Percent of the coins that their seller pays on top; undefined: the exchange has not said it yet. */
  feeRate: string | undefined;
  /** Free balance of the account that a `sell` ad is paid from. */
  available: string | undefined;
  /** The name of that account; without it, the fiat account. */
  availableName?: string;
  needsLimits?: boolean;
  /** Publishes; what was typed is cleared afterwards. */
  send: (fields: AdFields, intent: string) => Promise<void>;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<AdDraft>(EMPTY_AD);
  const [way, setWay] = useState<Way>('bank');
  const [code, setCode] = useState<CoinCode>('CNY');
  const sells = type === 'sell';
  const figures = dealFigures(draft.number, draft.price, code, feeRate ?? '0');
  const hold = sells && feeRate !== undefined ? figures?.hold : undefined;
  const problems = adProblems(draft, { needsLimits, hold, available: sells ? available : undefined });
  const { number, price, min, max, minutes, password } = toSentDraft(draft);
  const ad = {
    total_number: number,
    price,
    way,
    coin_code: code,
    currency_id: coin.id,
    type,
    limit_minutes: minutes,
    ...(min === '' ? {} : { min_number: min }),
    ...(max === '' ? {} : { max_number: max }),
  };
  const form = useIntentForm(problems, ad, async (fields, intent) => {
    await send({ ...fields, password }, intent);
    setDraft(EMPTY_AD);
    return 'stay';
  });
  const change = (field: keyof AdDraft) => (text: string) => setDraft((before) => ({ ...before, [field]: text }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  const title = t(`deals.sideOf.${type}`, { coin: coin.name });
  return (
    <Form onSubmit={submit} aria-label={title} className="flex flex-col gap-4 p-4">
      <h2 className={sells ? 'text-title font-semibold text-down' : 'text-title font-semibold text-up'}>{title}</h2>
      <NumberField
        label={t('deals.quantity')}
        scale={COIN_SCALE}
        value={draft.number}
        onTyped={change('number')}
        error={form.shown(problems.number)}
        suffix={coin.name}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <NumberField
          label={t('deals.price')}
          scale={PRICE_SCALE}
          value={draft.price}
          onTyped={change('price')}
          error={form.shown(problems.price)}
          suffix={code}
        />
        <Select
          label={t('deals.fiat')}
          value={code}
          onChange={setCode}
          options={COIN_CODES.map((value) => ({ value, label: value }))}
        />
        <Select
          label={t('deals.way')}
          value={way}
          onChange={setWay}
          options={WAYS.map((value) => ({ value, label: t(`deals.way.${value}`) }))}
        />
        <Select
          label={t('deals.minutesName')}
          value={draft.minutes}
          onChange={change('minutes')}
          options={PAY_MINUTES.map((value) => ({ value, label: payTime(t, Number(value)) }))}
        />
        <NumberField
          label={needsLimits ? t('deals.min') : t('deals.minFree')}
          scale={COIN_SCALE}
          value={draft.min}
          onTyped={change('min')}
          error={form.shown(problems.min)}
          suffix={coin.name}
        />
        <NumberField
          label={needsLimits ? t('deals.max') : t('deals.maxFree')}
          scale={COIN_SCALE}
          value={draft.max}
          onTyped={change('max')}
          error={form.shown(problems.max)}
          suffix={coin.name}
        />
      </div>
      <DescriptionList
        facts={[
          {
            id: 'total',
            name: t(sells ? 'deals.moneyOf.sell' : 'deals.moneyOf.buy'),
            value: figures ? <Fiat amount={figures.money} coin={code} /> : '–',
          },
          ...(sells
            ? [
                {
                  id: 'fee',
                  name: feeRate === undefined ? t('deals.feeName') : t('deals.fee', { rate: apart(`${feeRate} %`) }),
                  value: figures && feeRate !== undefined ? <Coins amount={figures.fee} coin={coin.name} /> : '–',
                },
                { id: 'hold', name: t('deals.hold'), value: hold ? <Coins amount={hold} coin={coin.name} /> : '–' },
                {
                  id: 'available',
                  name: availableName ?? t('deals.available'),
                  value: available === undefined ? undefined : <Num>{`${formatBalance(available)} ${coin.name}`}</Num>,
                },
              ]
            : [{ id: 'fee', name: t('deals.feeName'), value: t('deals.feeOfSeller') }]),
        ]}
      />
      <FundPasswordField value={draft.password} onChange={change('password')} error={form.shown(problems.password)} />
      <FormError>{form.refusal}</FormError>
      <Button kind={type} size="main" type="submit" busy={form.busy} className="w-full">
        {t('deals.publish')}
      </Button>
    </Form>
  );
}
