import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavingsConfig, SavingsCurrency } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Button, DescriptionList, Form, formatBalance, Num } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone, useSubmission } from '@bourse/web';
import { spotBalance, useWallet } from '../../../core/wallet.js';
import { useLeave } from '../../../core/use-leave.js';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { GuestPrompt } from '../../../parts/guest-prompt.js';
import { NumberField } from '../../../parts/number-field.js';
import { hasProblems } from '../../../forms/problems.js';
import { subscribe } from '../api/savings.js';
import { subscribeProblems, type Outcome } from '../model/savings.js';
import { money, moneyInLine, rateText } from './money.js';
import { OutcomeFacts } from './outcome.js';

/** Amount, fund password, then the question with everything in figures. A guest reckons, and is shown the ways in. */
export function SubscribeForm({
  currency,
  config,
  amount,
  onAmount,
  outcome,
}: {
  currency: SavingsCurrency;
  config: SavingsConfig;
  amount: string;
  onAmount: (text: string) => void;
  outcome: Outcome;
}) {
  const { t } = useTranslation();
  const leave = useLeave();
  const signedIn = useSignedIn();
  const { wallet } = useWallet();
  const submission = useSubmission();
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const coin = currency.name;
  const available = signedIn ? (spotBalance(wallet, currency.id)?.change_balance ?? currency.balance) : undefined;
  const problems = subscribeProblems({ amount, password }, config, available);
  const shown = (key: string | undefined): string | undefined =>
    tried && key ? t(key, { min: moneyInLine(config.save_min, coin) }) : undefined;
  const sending = toDecimalText(amount);
  const openConfirmation = (event: FormEvent): void => {
    event.preventDefault();
    submission.clear();
    setTried(true);
    setAsking(signedIn && !hasProblems(problems));
  };
  const send = (): void => {
    void submission.run(
      async (intent) => {
        toastDone(
          await subscribe({ config_id: config.id, currency_id: currency.id, amount: sending, password }, intent),
        );
        await leave('/manageList');
        return 'leave';
      },
      [config.id, sending],
    );
  };
  return (
    <Form onSubmit={openConfirmation} aria-label={t('savings.subscribe')} className="flex flex-col gap-4">
      <NumberField
        label={t('wallet.amount')}
        name="amount"
        scale={COIN_SCALE}
        value={amount}
        error={shown(problems.amount)}
        onTyped={onAmount}
        suffix={
          <span className="flex items-center gap-2">
            <Num>{coin}</Num>
            {available !== undefined && (
              <Button kind="quiet" size="small" onClick={() => onAmount(available)}>
                {t('wallet.all')}
              </Button>
            )}
          </span>
        }
      />
      <DescriptionList
        facts={[
          { id: 'min', name: t('wallet.minimum'), value: <Num>{money(config.save_min, coin)}</Num> },
          { id: 'rate', name: t('savings.rate'), value: <Num>{rateText(config.interest_rate)}</Num> },
          ...(available === undefined
            ? []
            : [
                {
                  id: 'available',
                  name: t('wallet.available'),
                  value: <Num>{`${formatBalance(available)} ${coin}`}</Num>,
                },
              ]),
        ]}
      />
      {signedIn ? (
        <>
          <FundPasswordField value={password} onChange={setPassword} error={shown(problems.password)} />
          <Button kind="primary" size="main" type="submit" busy={submission.busy}>
            {t('savings.subscribe')}
          </Button>
        </>
      ) : (
        <GuestPrompt />
      )}
      {asking && (
        <SubmissionDialog
          title={t('savings.subscribe')}
          description={t('savings.ask', {
            amount: moneyInLine(sending, coin),
            total: moneyInLine(outcome.total, coin),
          })}
          submission={submission}
          action={t('savings.subscribe')}
          kind="primary"
          onSend={send}
          onClose={() => setAsking(false)}
        >
          <OutcomeFacts amount={sending} coin={coin} config={config} outcome={outcome} />
        </SubmissionDialog>
      )}
    </Form>
  );
}
