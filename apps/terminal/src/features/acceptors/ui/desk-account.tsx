import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WAYS, type AcceptorInfo } from '@bourse/contract';
import { Button, Panel, Stat } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { Failed } from '../../../parts/failed.js';
import { KEYS, ownAccount } from '../api/acceptors.js';
import { cashText, coinText } from '../model/figures.js';
import { FundDialog, PaymentDialog, RatesDialog } from './desk-account-dialogs.js';
import { PayFacts } from './pay-facts.js';

type Open = 'in' | 'out' | 'rates' | 'payment';

/** An acceptor's deposit, quota and rates, and the account that customers pay to. */
export function DeskAccount() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const account = useQuery({ queryKey: KEYS.account, queryFn: () => ownAccount(api) });
  const info = account.data;
  if (account.isError && !info) return <Failed retry={() => void account.refetch()} />;
  const button = (what: Open, text: string) => (
    <Button size="small" disabled={!info} onClick={() => setOpen(what)}>
      {text}
    </Button>
  );
  return (
    <Panel label={t('acc.ownAccount')}>
      <div className="flex flex-wrap items-center justify-between gap-2 px-3 py-3">
        <h2 className="text-title font-semibold">{t('acc.ownAccount')}</h2>
        <div className="flex flex-wrap gap-2">
          {button('in', t('acc.fundIn'))}
          {button('out', t('acc.fundOut'))}
          {button('rates', t('acc.rates'))}
          {button('payment', t('acc.payment'))}
        </div>
      </div>
      <div className="grid grid-cols-2 gap-4 border-t border-line p-4 lg:grid-cols-4">
        <Stat label={t('acc.free')} value={info && coinText(info.recharge_amount)} unit="USDT" />
        <Stat label={t('acc.cash')} value={info && cashText(info.cash_amount)} />
        <Stat
          label={t('acc.rates')}
          value={info && `${info.recharge_rate} % / ${info.cash_rate} %`}
          hint={`${t('wallet.causes.deposit')} / ${t('wallet.causes.withdrawal')}`}
        />
        <Stat label={t('acc.legal')} value={info && coinText(info.user_balance)} unit="USDT" />
      </div>
      {info && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-3 text-body font-medium">{t('acc.payment')}</summary>
          <div className="px-4 pb-4">
            <PayFacts info={info} ways={WAYS} />
          </div>
        </details>
      )}
      {info && open && <AccountDialog info={info} open={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}

const AccountDialog = ({ info, open, onClose }: { info: AcceptorInfo; open: Open; onClose: () => void }) =>
  open === 'rates' ? (
    <RatesDialog info={info} onClose={onClose} />
  ) : open === 'payment' ? (
    <PaymentDialog info={info} onClose={onClose} />
  ) : (
    <FundDialog info={info} direction={open} onClose={onClose} />
  );
