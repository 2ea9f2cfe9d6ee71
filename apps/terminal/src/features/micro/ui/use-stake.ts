import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { MicroCurrency, MicroSeconds, QuotationItem } from '@bourse/contract';
import { useSubmission } from '@bourse/web';
import { useWallet } from '../../../core/wallet.js';
import { openContract } from '../api/micro.js';
import {
  STAKE_TICKET,
  type Direction,
  type Stake,
  type StakeAction,
  type StakeFault,
  type StakeInputs,
  type StakeSummary,
} from '../model/stake.js';

export interface StakeHandle {
  readonly stake: Stake;
  readonly summary: StakeSummary;
  /** The source of stakes, and whether it is the vault of a policy. */
  readonly available: string | undefined;
  readonly insured: boolean;
  readonly fault: StakeFault | undefined;
  readonly change: (action: StakeAction) => void;
  /** One of the two buttons. @returns whether something kept it */
  readonly press: (direction: Direction) => boolean;
  readonly asking: boolean;
  readonly stopAsking: () => void;
  readonly send: () => Promise<void>;
  readonly sending: boolean;
  readonly refusal: string | undefined;
}

/**
 * The form of a contract: typed, checked, asked about, sent once. Its main button are two, so the way is part of the
 * press and not of the form that was filled in before.
 */
export function useStake({
  pair,
  duration,
  currency,
}: {
  pair: QuotationItem;
  duration: MicroSeconds | undefined;
  currency: MicroCurrency | undefined;
}): StakeHandle {
  const { wallet } = useWallet();
  const balance = wallet?.micro_wallet.balance.find((coin) => coin.currency === currency?.id)?.micro_balance;
  const policy = currency?.user_insurance;
  const available = policy?.vault ?? balance ?? currency?.user_wallet.micro_balance;
  const inputs: StakeInputs = {
    matchId: pair.id,
    currency,
    duration,
    available,
    open: pair.open_microtrade === 1 && pair.mode === 'normal',
  };
  const [stake, dispatch] = useReducer(
    (state: Stake, action: StakeAction) => STAKE_TICKET.reduce(state, action, inputs),
    { number: '', type: 1 },
  );
  const latest = useRef(stake);
  latest.current = stake;
  const [fault, setFault] = useState<StakeFault | undefined>();
  const [asking, setAsking] = useState(false);
  const { busy, refusal, run, clear } = useSubmission('micro.noAnswer');
  const forget = (): void => {
    setFault(undefined);
    clear();
  };
  const change = (action: StakeAction): void => {
    dispatch(action);
    forget();
  };
  // Another coin or duration has other limits.
  const chooseOther = useEffectEvent(forget);
  useEffect(() => chooseOther(), [currency?.id, duration?.seconds]);
  const press = (direction: Direction): boolean => {
    if (busy) return false;
    dispatch({ type: 'direction', direction });
    const pressed = STAKE_TICKET.press({ ...stake, type: direction }, inputs, false);
    setFault(pressed.kind === 'fault' ? pressed.fault : undefined);
    setAsking(pressed.kind !== 'fault');
    return pressed.kind === 'fault';
  };
  const send = async (): Promise<void> => {
    setAsking(false);
    if (!currency || !duration) return;
    const command = {
      match_id: pair.id,
      currency_id: currency.id,
      seconds: duration.seconds,
      ...STAKE_TICKET.fields(stake),
    };
    const taken = await run(async (intent) => {
      await openContract(command, intent);
    }, command);
    // Another stake may have been typed meanwhile.
    if (taken && latest.current === stake) dispatch(STAKE_TICKET.sent);
  };
  return {
    stake,
    summary: STAKE_TICKET.summarize(stake, inputs),
    available,
    insured: policy !== null && policy !== undefined,
    fault,
    change,
    press,
    asking,
    stopAsking: () => setAsking(false),
    send,
    sending: busy,
    refusal,
  };
}
