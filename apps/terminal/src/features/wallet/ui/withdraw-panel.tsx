import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button, Form, Skeleton } from '@bourse/ui';
import { useSession } from '../../../core/session.js';
import { FormError } from '../../../forms/form-card.js';
import { Failed } from '../../../parts/failed.js';
import { NetworkChoice } from '../../../parts/network-choice.js';
import { Note } from '../../../parts/note.js';
import { useSettled } from '../../../parts/use-settled.js';
import { hasNetwork } from '../model/deposit.js';
import { useWithdrawal } from './use-withdrawal.js';
import { AmountAndPasswords, Destination } from './withdraw-fields.js';
import { WithdrawFigures, WithdrawQuestion } from './withdraw-figures.js';
import { WithdrawNeeds } from './withdraw-needs.js';

/** Sends a coin away: network, address, amount with its fee, passwords, then a question with everything in figures. */
export function WithdrawPanel({
  currency,
  coin,
  available,
  onSettled,
}: {
  currency: number;
  coin: string;
  available: string;
  onSettled?: () => void;
}) {
  const { t } = useTranslation();
  const user = useSession((session) => session.info);
  const form = useWithdrawal(currency, coin, available);
  const { info, network } = form;
  useSettled(form.failed || (info !== undefined && user !== undefined), () => onSettled?.());
  if (form.failed) return <Failed retry={form.retry} />;
  if (info && !hasNetwork(info)) return <p className="p-4 text-t2">{t('wallet.noNetwork', { coin })}</p>;
  if (user && (user.has_fund_password === 0 || user.review_status !== 2))
    return <WithdrawNeeds fundPassword={user.has_fund_password === 0} identity={user.review_status !== 2} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form.ask();
  };
  return (
    <Form onSubmit={submit} aria-label={t('wallet.withdrawTitle', { coin })} className="grid gap-4 p-4 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3">
        {info ? (
          <NetworkChoice
            label={t('wallet.network')}
            networks={info.type_data}
            value={network?.id}
            onChange={form.chooseNetwork}
          />
        ) : (
          <Skeleton className="h-14 w-48" />
        )}
        <Destination form={form} currency={currency} />
        <AmountAndPasswords form={form} />
      </div>
      <div className="flex min-w-0 flex-col justify-between gap-3">
        <WithdrawFigures form={form} />
        <Note tone="warn">
          <p>{t('wallet.noteWithdraw', { coin, network: network?.type ?? '' })}</p>
          <p>{t('wallet.noteReview')}</p>
        </Note>
        <FormError>{form.refusal}</FormError>
        <div className="flex flex-wrap items-center justify-end gap-3">
          <Link className="text-table text-t2 underline hover:text-t1" to="/account/coinRecord?tab=withdrawals">
            {t('wallet.withdrawals')}
          </Link>
          <Button kind="primary" size="main" type="submit" busy={form.busy} disabled={!info}>
            {t('wallet.withdraw')}
          </Button>
        </div>
      </div>
      <WithdrawQuestion form={form} />
    </Form>
  );
}
