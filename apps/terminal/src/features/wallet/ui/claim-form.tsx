import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keys } from '@bourse/api-client';
import { Button, Field, Form, Panel } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, useSubmission } from '@bourse/web';
import { NumberField } from '../../../parts/number-field.js';
import { FormError } from '../../../forms/form-card.js';
import { claim } from '../api/deposits.js';
import { amountToSend } from '../model/wallet.js';
import { COIN_SCALE } from '@bourse/formulas';

/**
 * Tells support of a payment that has not arrived: a claim, which people link to a payment on the chain. It credits
 * nothing by itself.
 */
export function ClaimForm({ currency, coin }: { currency: number; coin: string }) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState('');
  const [account, setAccount] = useState('');
  const [tried, setTried] = useState(false);
  const write = useSubmission();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const number = amountToSend(amount);
    if (number === '' || account.trim() === '') return;
    await write.run(async () => {
      toastDone(await claim(api, { currency, amount: number, account: account.trim() }));
      setAmount('');
      setAccount('');
      setTried(false);
      await queryClient.invalidateQueries({ queryKey: keys.claims });
    });
  };
  return (
    <Panel>
      <details>
        <summary className="cursor-pointer px-4 py-3 text-title font-semibold">{t('wallet.claimTitle')}</summary>
        <Form
          onSubmit={(event) => void send(event)}
          aria-label={t('wallet.claimTitle')}
          className="flex max-w-xl flex-col gap-3 px-4 pb-4"
        >
          <p className="text-t2">{t('wallet.claimText')}</p>
          <NumberField
            label={`${t('wallet.amount')} (${coin})`}
            name="amount"
            scale={COIN_SCALE}
            value={amount}
            error={tried && amountToSend(amount) === '' ? t('wallet.numberRequired') : undefined}
            onTyped={setAmount}
          />
          <Field
            label={t('wallet.claimAccount')}
            name="account"
            mono
            maxLength={100}
            value={account}
            error={tried && account.trim() === '' ? t('wallet.claimAccountRequired') : undefined}
            onChange={(event) => setAccount(event.target.value)}
          />
          <FormError>{write.refusal}</FormError>
          <div className="flex items-center justify-between gap-3">
            <Link
              to={`/account/chargeRecord?current=${currency}`}
              className="text-table text-t2 underline hover:text-t1"
            >
              {t('wallet.claims')}
            </Link>
            <Button kind="primary" type="submit" busy={write.busy}>
              {t('wallet.claimButton')}
            </Button>
          </div>
        </Form>
      </details>
    </Panel>
  );
}
