import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIAT_SCALES, type Ad, type Deal } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, DescriptionList, formatBalance, Num } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { toDecimalText } from '../../core/ticket/typing.js';
import { useWallet } from '../../core/wallet.js';
import { FormDialog } from '../../forms/form-dialog.js';
import { useIntentForm } from '../../forms/use-form.js';
import { FundPasswordField } from '../../parts/fund-password-field.js';
import { Note } from '../../parts/note.js';
import { NumberField } from '../../parts/number-field.js';
import { takeAd } from '../api/ads.js';
import { coinsFor, dealFigures, limitsOf, sideOf, takeProblems } from '../model/ad.js';
import { apart, Coins, coinText, Fiat, fiatText, payTime, WayName } from './words.js';

/** Takes an ad, or a part of it: coins and money are one system, the last edited field counts (terminal rule 1). */
export function TakeDialog({
  ad,
  onClose,
  onTaken,
}: {
  ad: Ad;
  onClose: () => void;
  /** The deal exists: its page is the next step. */
  onTaken: (deal: Deal) => void;
}) {
  const { t } = useTranslation();
  const side = sideOf(ad);
  const { max } = limitsOf(ad);
  const available = useLegalBalance(ad.currency_id);
  const [number, setNumber] = useState('');
  const [money, setMoney] = useState('');
  const [password, setPassword] = useState('');
  const problems = takeProblems({ number, password }, ad, available);
  const figures = dealFigures(number, ad.price, ad.coin_code, ad.fee_rate);
  const form = useIntentForm(problems, { number: toDecimalText(number) }, async (fields, intent) => {
    const { message, deal } = await takeAd(ad, { ...fields, password }, intent);
    toastDone(message, `deal ${deal.id}`);
    onTaken(deal);
  });
  const typeNumber = (text: string): void => {
    setNumber(text);
    setMoney(dealFigures(text, ad.price, ad.coin_code, '0')?.money ?? '');
  };
  const typeMoney = (text: string): void => {
    setMoney(text);
    setNumber(coinsFor(text, ad.price, ad.coin_code));
  };
  const limits = useLimitWords(ad);
  const action = t(`deals.sideOf.${side}`, { coin: ad.currency_name });
  return (
    <FormDialog
      title={action}
      description={t('deals.withWhom', { name: apart(ad.seller_name) })}
      submission={form}
      action={action}
      kind={side}
      onClose={onClose}
    >
      <NumberField
        label={t(`deals.number.${side}`)}
        scale={COIN_SCALE}
        value={number}
        onTyped={typeNumber}
        error={form.shown(problems.number) && t(problems.number ?? '', limits)}
        hint={t('deals.limits', limits)}
        suffix={
          <span className="flex items-center gap-2">
            {ad.currency_name}
            <Button size="small" kind="quiet" onClick={() => typeNumber(max)}>
              {t('deals.whole')}
            </Button>
          </span>
        }
      />
      <NumberField
        label={t(`deals.moneyOf.${side}`)}
        scale={FIAT_SCALES[ad.coin_code]}
        value={money}
        onTyped={typeMoney}
        suffix={ad.coin_code}
      />
      <TakeFacts ad={ad} figures={figures} available={available} />
      <Note>
        <p>{t(`deals.takeNote.${side}`, { time: payTime(t, ad.limit_minutes) })}</p>
      </Note>
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}

/** The free balance of the account that deals are made from. */
export function useLegalBalance(currency: number | undefined): string | undefined {
  const { wallet } = useWallet();
  return wallet?.legal_wallet.balance.find((coin) => coin.currency === currency)?.legal_balance;
}

/** The least and the most that can be taken, in coins. */
function useLimitWords(ad: Ad): { min: string; max: string } {
  const { min, max } = limitsOf(ad);
  return { min: apart(coinText(min, ad.currency_name)), max: apart(coinText(max, ad.currency_name)) };
}

/** The amount of the deal before the press, with the fee that the seller of the coins pays. */
function TakeFacts({
  ad,
  figures,
  available,
}: {
  ad: Ad;
  figures: ReturnType<typeof dealFigures>;
  available: string | undefined;
}) {
  const { t } = useTranslation();
  const none = '–';
  const coin = ad.currency_name;
  const sells = sideOf(ad) === 'sell';
  return (
    <DescriptionList
      facts={[
        { id: 'price', name: t('deals.price'), value: <Num>{`${fiatText(ad.price, ad.coin_code)} / ${coin}`}</Num> },
        { id: 'way', name: t('deals.way'), value: <WayName way={ad.way} /> },
        {
          id: 'money',
          name: t(sells ? 'deals.moneyOf.sell' : 'deals.moneyOf.buy'),
          value: figures ? <Fiat amount={figures.money} coin={ad.coin_code} /> : none,
        },
        ...(sells
          ? [
              {
                id: 'fee',
                name: t('deals.fee', { rate: apart(`${ad.fee_rate} %`) }),
                value: figures ? <Coins amount={figures.fee} coin={coin} /> : none,
              },
              {
                id: 'hold',
                name: t('deals.hold'),
                value: figures ? <Coins amount={figures.hold} coin={coin} /> : none,
              },
              {
                id: 'available',
                name: t('deals.available'),
                value: available === undefined ? undefined : <Num>{`${formatBalance(available)} ${coin}`}</Num>,
              },
            ]
          : [{ id: 'fee', name: t('deals.feeName'), value: t('deals.feeOfSeller') }]),
      ]}
    />
  );
}
