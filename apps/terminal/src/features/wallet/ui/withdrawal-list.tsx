import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { Withdrawal } from '@bourse/contract';
import { Button, cx, formatBalance, Num } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { toastDone, useSubmission } from '@bourse/web';
import { CopyButton } from '../../../parts/copy-button.js';
import { SubmissionDialog } from '../../../forms/submission-dialog.js';
import { cancelWithdrawal, withdrawals } from '../api/withdrawals.js';
import { moving, stepsOf } from '../model/withdraw.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { AddressText } from '../../../parts/address-text.js';
import { Time } from '../../../parts/time.js';
import { TransferList } from './transfer-list.js';

/** Withdrawals with the way each has gone; one that is still in review can be taken back. */
export function WithdrawalList({ currency }: { currency: number | undefined }) {
  const { t } = useTranslation();
  const [cancelling, setCancelling] = useState<Withdrawal>();
  return (
    <>
      <TransferList
        queryKey={[...keys.withdrawals, currency ?? 0]}
        read={(page) => withdrawals(api, currency, page)}
        refetchMs={(rows) => (moving(rows) ? 2_500 : 15_000)}
        label={t('wallet.withdrawals')}
        empty={t('wallet.noWithdrawals')}
        rowHeight="h-24"
      >
        {(row) => (
          <div className="flex flex-col gap-3 p-4">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <p className="text-button font-medium">
                <Num>
                  {formatBalance(row.number)} {row.currency_name}
                </Num>
              </p>
              <Steps withdrawal={row} />
            </div>
            <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-table text-t2">
              <span>
                {t('wallet.address')} <AddressText>{row.address}</AddressText>
                {row.memo !== '' && (
                  <>
                    {' '}
                    · {t('wallet.memo')} <Num>{row.memo}</Num>
                  </>
                )}
              </span>
              <span>
                {t('wallet.fee')} <Num>{formatBalance(row.fee)}</Num>
              </span>
              <span>
                {t('wallet.received')} <Num>{formatBalance(row.received)}</Num>
              </span>
              <Time>{row.create_time}</Time>
              <ComplainLink kind="withdrawal" about={row.id} />
            </div>
            {(row.tx_id !== '' || row.reason !== '' || row.state === 'review') && (
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-table text-t2">
                {row.tx_id !== '' && (
                  <span className="flex flex-wrap items-center gap-1">
                    {t('wallet.txId')} <AddressText>{row.tx_id}</AddressText>
                    <CopyButton text={row.tx_id} what={t('wallet.txId')} />
                  </span>
                )}
                {row.state === 'sending' && row.tx_id !== '' && (
                  <span>{t('wallet.confirmationsSoFar', { done: row.confirmations })}</span>
                )}
                {row.reason !== '' && <span className="text-warn">{row.reason}</span>}
                {row.state === 'review' && (
                  <Button size="small" onClick={() => setCancelling(row)}>
                    {t('wallet.cancelWithdrawal')}
                  </Button>
                )}
              </div>
            )}
          </div>
        )}
      </TransferList>
      {cancelling && <CancelDialog withdrawal={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  );
}

const MARKS = {
  done: 'border-up bg-up text-on-up',
  now: 'border-accent',
  next: 'border-line-strong',
  stopped: 'border-down bg-down text-on-down',
} as const;

/** review → sending → done, shown by mark, word and order. */
function Steps({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  return (
    <ol aria-label={t('wallet.progress')} className="flex flex-wrap items-center gap-2">
      {stepsOf(withdrawal.state).map(({ id, state }, index) => (
        <li
          key={id}
          aria-current={state === 'now' ? 'step' : undefined}
          className={cx('flex items-center gap-2 text-table', state === 'next' ? 'text-t2' : 'text-t1')}
        >
          {index > 0 && <span aria-hidden className="h-px w-4 bg-line-strong" />}
          <span aria-hidden className={cx('grid size-4 place-items-center rounded-full border-2', MARKS[state])}>
            {state === 'done' && <Check size={10} strokeWidth={3} />}
            {state === 'stopped' && <X size={10} strokeWidth={3} />}
          </span>
          <span>
            {t(`wallet.step.${id}`)}
            {state === 'done' && <span className="sr-only"> ✓</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function CancelDialog({ withdrawal, onClose }: { withdrawal: Withdrawal; onClose: () => void }) {
  const { t } = useTranslation();
  const write = useSubmission();
  const cancel = async (): Promise<void> => {
    await write.run(async (intent) => {
      toastDone(await cancelWithdrawal(api, withdrawal.id, intent));
      onClose();
    }, withdrawal.id);
    await queryClient.invalidateQueries({ queryKey: keys.wallet });
  };
  return (
    <SubmissionDialog
      title={t('wallet.cancelWithdrawal')}
      description={t('wallet.cancelText', {
        amount: `\u2066${formatBalance(withdrawal.number)}\u2069`,
        coin: withdrawal.currency_name,
      })}
      submission={write}
      action={t('wallet.cancelWithdrawal')}
      kind="danger"
      keep={t('common.no')}
      onSend={() => void cancel()}
      onClose={onClose}
    />
  );
}
