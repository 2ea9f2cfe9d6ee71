import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { COIN_CODES, WAYS, type Coin, type CoinCode, type Way } from '@bourse/contract';
import { toDecimalText } from '../../core/ticket/typing.js';
import type { MarketChoice } from './market-filters.js';

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | '' =>
  values.find((value) => value === text) ?? '';

/** The amount to look for, once it is one. */
export const choiceMoney = ({ money }: Pick<MarketChoice, 'money'>): string | undefined => {
  const text = toDecimalText(money);
  return /[1-9]/.test(text) ? text : undefined;
};

/** The filters are part of the address, so that it can be kept and sent; the amount is not. */
export function useMarketChoice(coins: readonly Coin[] | undefined): {
  choice: MarketChoice;
  change: (change: Partial<MarketChoice>) => void;
} {
  const [params, setParams] = useSearchParams();
  const [money, setMoney] = useState('');
  const asked = Number(params.get('currency_id'));
  const usual = coins?.find(({ name }) => name === 'USDT') ?? coins?.[0];
  const choice: MarketChoice = {
    side: params.get('side') === 'sell' ? 'sell' : 'buy',
    coin: coins?.find(({ id }) => id === asked)?.id ?? usual?.id,
    code: oneOf<CoinCode>(COIN_CODES, params.get('coin_code')),
    way: oneOf<Way>(WAYS, params.get('way')),
    money,
  };
  const change = ({ money: typed, ...rest }: Partial<MarketChoice>): void => {
    if (typed !== undefined) setMoney(typed);
    if (Object.keys(rest).length === 0) return;
    const { side, coin, code, way } = { ...choice, ...rest };
    const fields = { side, currency_id: String(coin ?? ''), coin_code: code, way };
    setParams(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')), { replace: true });
  };
  return { choice, change };
}
