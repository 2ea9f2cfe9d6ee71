import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { BoundAddress, CoinInfo, TypeData } from '@bourse/contract';
import { atMost, grouped } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { useSession } from '../../../core/session.js';
import { toastDone, useSubmission } from '@bourse/web';
import { useServerClock } from '../../../parts/use-server-clock.js';
import { boundAddresses, withdraw } from '../api/withdrawals.js';
import {
  addressesFor,
  coolingFor,
  costOf,
  withdrawProblems,
  type Cost,
  type WithdrawFields,
} from '../model/withdraw.js';
import { useCoin } from './use-coin.js';

const EMPTY: WithdrawFields = { address: '', amount: '', memo: '', password: '', totp: '' };
/** The lists are read again once more after this long: a small withdrawal has then left the review (rules §16). */
const RELOAD_DELAY_MS = 1_500;

export interface WithdrawalForm {
  readonly coin: string;
  readonly available: string;
  /** Undefined until the coin's networks are read. */
  readonly info: CoinInfo | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
  readonly network: TypeData | undefined;
  readonly chooseNetwork: (id: number) => void;
  /** With one bound address or more, money leaves to those alone; these are on the chosen network. */
  readonly onlyBound: boolean;
  readonly bound: readonly BoundAddress[];
  readonly chosen: BoundAddress | undefined;
  readonly chooseAddress: (id: string) => void;
  /** Ms until the address may be used, by the exchange's clock. */
  readonly coolingOf: (address: BoundAddress) => number;
  readonly needsMemo: boolean;
  readonly needsTotp: boolean;
  /** As typed. */
  readonly fields: WithdrawFields;
  readonly change: (change: Partial<WithdrawFields>) => void;
  /** As it will be sent: a bound address brings its own memo. */
  readonly sent: WithdrawFields;
  readonly cost: Cost | undefined;
  /** Words of a field's fault, once sending was tried. */
  readonly problem: (field: keyof WithdrawFields) => string | undefined;
  readonly tried: boolean;
  readonly refusal: string | undefined;
  readonly busy: boolean;
  readonly asking: boolean;
  readonly ask: () => void;
  readonly stopAsking: () => void;
  readonly send: () => Promise<void>;
}

/** A withdrawal of one coin: fields, then a question with everything in figures, then one call. */
export function useWithdrawal(currency: number, coin: string, available: string): WithdrawalForm {
  const { t } = useTranslation();
  const user = useSession((session) => session.info);
  const { info, failed, retry, network, choose } = useCoin(currency);
  const addresses = useQuery({ queryKey: keys.boundAddresses(currency), queryFn: () => boundAddresses(api, currency) });
  const [fields, setFields] = useState(EMPTY);
  const [picked, setPicked] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const write = useSubmission();
  const onlyBound = (addresses.data?.length ?? 0) > 0;
  const now = useServerClock(onlyBound);
  const bound = addressesFor(addresses.data ?? [], network);
  const chosen = bound.find(({ id }) => String(id) === picked) ?? bound[0];
  const sent = onlyBound ? { ...fields, address: chosen?.address ?? '', memo: chosen?.memo || fields.memo } : fields;
  const needsMemo = info?.make_wallet === 2;
  const needsTotp = user?.totp === 1;
  const problems = withdrawProblems(sent, { network, memo: needsMemo, totp: needsTotp, available });
  if (onlyBound && !chosen) problems.address = 'wallet.noBoundHere';
  const cost = network && costOf(fields.amount, network);
  const min = `${network ? `\u2066${grouped(atMost(network.min_number, 8))}\u2069` : ''} ${coin}`;
  const coolingOf = (address: BoundAddress): number => coolingFor(address, now);
  return {
    coin,
    available,
    info,
    failed,
    retry,
    network,
    chooseNetwork: choose,
    onlyBound,
    bound,
    chosen,
    chooseAddress: setPicked,
    coolingOf,
    needsMemo,
    needsTotp,
    fields,
    change: (change) => setFields((was) => ({ ...was, ...change })),
    sent,
    cost,
    problem: (field) => {
      const key = problems[field];
      return tried && key ? t(key, { min }) : undefined;
    },
    tried,
    refusal: write.refusal,
    busy: write.busy,
    asking: asking && cost !== undefined,
    ask: () => {
      setTried(true);
      const cooling = onlyBound && chosen ? coolingOf(chosen) : 0;
      if (Object.keys(problems).length > 0 || cooling > 0 || !cost || !network) return;
      // The question shows the fee that is in force now.
      retry();
      setAsking(true);
    },
    stopAsking: () => {
      if (!write.busy) setAsking(false);
    },
    send: async () => {
      if (!cost || !network) return;
      const outgoing = {
        currency,
        type: network.id,
        address: sent.address.trim(),
        number: cost.number,
        memo: needsMemo ? sent.memo.trim() : undefined,
      };
      const done = await write.run(async (intent) => {
        const secrets = { pay_password: fields.password, totp_code: fields.totp.trim() };
        const answer = await withdraw(api, { ...outgoing, ...secrets, rate: network.rate }, intent);
        toastDone(answer.message);
      }, outgoing);
      setAsking(false);
      if (!done) return;
      setFields(EMPTY);
      setTried(false);
      const reload = (): void => void queryClient.invalidateQueries({ queryKey: keys.wallet });
      reload();
      setTimeout(reload, RELOAD_DELAY_MS);
    },
  };
}
