import { useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { CoinBalance, Product } from '@bourse/contract';
import { Button, Form, Panel, Skeleton } from '@bourse/ui';
import { useWallet } from '../../../core/wallet.js';
import { accountOfPath } from '../model/wallet.js';
import { Failed } from '../../../parts/failed.js';
import { TransferFields, TransferQuestion } from './transfer-fields.js';
import { useTransfer } from './use-transfer.js';

/** After a transfer the lists follow, a second later (rules §16). */
const LEAVE_AFTER_MS = 1_000;

/** Transfers as a page of their own, one address for each account. */
export default function TransferPage() {
  const { t } = useTranslation();
  const { wallet, failed, retry } = useWallet();
  const account = accountOfPath(useLocation().pathname);
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4">
      <div className="flex items-baseline justify-between gap-3">
        <h1 className="text-last font-semibold">{t('wallet.transferTitle')}</h1>
        <Link to="/transferRecord" className="text-table text-t2 underline hover:text-t1">
          {t('wallet.history')}
        </Link>
      </div>
      <Panel className="p-4">
        {failed ? (
          <Failed retry={retry} />
        ) : wallet ? (
          <TransferForm key={account} coins={wallet.change_wallet.balance} account={account} />
        ) : (
          <Skeleton className="h-72 w-full" />
        )}
      </Panel>
    </div>
  );
}

function TransferForm({ coins, account }: { coins: readonly CoinBalance[]; account: Product }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [done, setDone] = useState(false);
  const form = useTransfer(coins, account === 'change' ? { from: 'change' } : { from: 'change', to: account }, () =>
    setDone(true),
  );
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => void navigate(account === 'legal' ? '/legal' : '/finance'), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [done, account, navigate]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!done) form.ask();
  };
  return (
    <Form onSubmit={submit} aria-label={t('wallet.transferTitle')} className="flex flex-col gap-4">
      <TransferFields form={form} />
      <Button kind="primary" size="main" type="submit" busy={form.busy || done}>
        {t('wallet.transferButton')}
      </Button>
      <TransferQuestion form={form} />
    </Form>
  );
}
