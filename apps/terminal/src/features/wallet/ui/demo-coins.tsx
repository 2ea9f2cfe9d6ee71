import { useTranslation } from 'react-i18next';
import { Button, grouped } from '@bourse/ui';
import { toastDone, useSubmission } from '@bourse/web';
import { api } from '../../../core/api.js';
import { useServerConfig } from '../../../core/config.js';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { Note } from '../../../parts/note.js';
import { sendDemoCoins, type DepositAddress } from '../api/deposits.js';
import { demoAmount } from '../model/demo-coins.js';

interface Props {
  currency: number;
  coin: string;
  network: number;
  to: DepositAddress;
}

/** On a demo install: a payment from outside to the own address, on the simulated network. */
export function DemoCoins({ currency, coin, network, to }: Props) {
  const { t } = useTranslation();
  const isDemo = useServerConfig()?.dev === 1;
  const { wallet } = useWallet();
  const sending = useSubmission();
  const balance = spotBalance(wallet, currency);
  if (!isDemo || !balance) return null;
  const amount = demoAmount(balance.usdt_price);
  const shown = `\u2066${grouped(amount)} ${coin}\u2069`;
  const send = (): Promise<boolean> =>
    sending.run(
      async (intent, number) => {
        await sendDemoCoins(api, { currency, type: network, number, to }, intent);
        toastDone(t('wallet.demoSent', { amount: shown }));
      },
      [currency, network],
      amount,
    );
  return (
    <Note>
      <p>{t('wallet.demoNote')}</p>
      <p>
        <Button size="small" busy={sending.busy} onClick={() => void send()}>
          {t('wallet.demoGet', { amount: shown })}
        </Button>
      </p>
      {sending.refusal && (
        <p role="alert" className="text-down">
          {sending.refusal}
        </p>
      )}
    </Note>
  );
}
