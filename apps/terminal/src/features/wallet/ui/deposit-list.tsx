import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import type { Deposit } from '@bourse/contract';
import { atMost, Button, formatBalance, grouped, Num } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { deposits } from '../api/deposits.js';
import { arriving, missingToMinimum } from '../model/deposit.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { AddressText } from '../../../parts/address-text.js';
import { Confirmations } from './confirmations.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Note } from '../../../parts/note.js';
import { ReturnDialog } from './return-dialog.js';
import { Time } from '../../../parts/time.js';
import { useCoin } from './use-coin.js';
import { TransferList } from './transfer-list.js';

/** Deposits as they come in: each with its confirmations while it is seen, and held ones with what they wait for. */
export function DepositList({ currency }: { currency: number | undefined }) {
  const { t } = useTranslation();
  const [returning, setReturning] = useState<Deposit>();
  return (
    <>
      <TransferList
        queryKey={[...keys.deposits, currency ?? 0]}
        read={(page) => deposits(api, currency, page)}
        refetchMs={(rows) => (arriving(rows) ? 2_000 : 5_000)}
        label={t('wallet.deposits')}
        empty={t('wallet.noDeposits')}
        rowHeight="h-16"
      >
        {(row, rows) => (
          <div className="flex flex-col gap-2 p-4">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <p className="text-button font-medium">
                <Num className="text-up">
                  +{formatBalance(row.amount)} {row.currency_name}
                </Num>
              </p>
              <p className="text-body">{t(`wallet.depositState.${row.state}`)}</p>
            </div>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-table text-t2">
              <span className="flex flex-wrap items-center gap-1">
                {t('wallet.txId')} <AddressText>{row.tx_id}</AddressText>
                <CopyButton text={row.tx_id} what={t('wallet.txId')} />
              </span>
              <Confirmations deposit={row} />
              <Time>{row.create_time}</Time>
              <ComplainLink kind="deposit" about={row.id} />
            </div>
            {row.state === 'held' && <Held deposit={row} all={rows} onReturn={() => setReturning(row)} />}
          </div>
        )}
      </TransferList>
      {returning && <ReturnDialog deposit={returning} onClose={() => setReturning(undefined)} />}
    </>
  );
}

/** Why a deposit is not in the balance yet, and the two ways on. */
function Held({ deposit, all, onReturn }: { deposit: Deposit; all: readonly Deposit[]; onReturn: () => void }) {
  const { t } = useTranslation();
  const { info } = useCoin(deposit.currency);
  const minimum = info?.type_data.find(({ id }) => id === deposit.type)?.min_deposit;
  const figure = (text: string): string => `\u2066${grouped(atMost(text, 8))}\u2069`;
  const sum = minimum === undefined ? undefined : missingToMinimum(all, deposit.currency, minimum);
  return (
    <Note tone="warn">
      <p>{t('wallet.heldWhy')}</p>
      {sum && (
        <p className="text-t1">
          {t('wallet.heldMissing', {
            held: figure(sum.held),
            minimum: figure(minimum ?? '0'),
            missing: figure(sum.missing),
            coin: deposit.currency_name,
          })}
        </p>
      )}
      <div>
        <Button size="small" onClick={onReturn}>
          {t('wallet.returnDeposit')}
        </Button>
      </div>
    </Note>
  );
}
