import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatementJournal, WalletLog } from '@bourse/contract';
import { Dialog, formatBalance, Num, Table, type Column } from '@bourse/ui';
import { SignedAmount } from '../../../parts/signed-amount.js';
import { Time } from '../../../parts/time.js';
import { stateKey } from '../model/statement.js';
import { Cause, Changes, useAccountName } from './journal-cells.js';

/** A statement, one row for each journal; a press on a row shows its lines. */
export function JournalTable({ rows }: { rows: readonly StatementJournal[] | undefined }) {
  const { t } = useTranslation();
  const [opened, open] = useState<StatementJournal>();
  // On a phone the time is under the cause.
  const columns: Column<StatementJournal>[] = [
    {
      id: 'time',
      header: t('wallet.time'),
      className: 'max-md:hidden',
      cell: (row) => <Time>{row.created_time}</Time>,
    },
    {
      id: 'cause',
      header: t('wallet.cause'),
      wraps: true,
      className: 'py-1.5 md:min-w-44',
      cell: (row) => (
        <>
          <Cause journal={row} />
          <span className="block text-label whitespace-nowrap text-t2 md:hidden">
            <Time>{row.created_time}</Time>
          </span>
          <button
            type="button"
            onClick={() => open(row)}
            className="block min-h-6 text-label text-t2 underline underline-offset-2 hover:text-t1"
          >
            {t('wallet.journal')} <Num>{row.id}</Num>
          </button>
        </>
      ),
    },
    {
      id: 'amount',
      header: t('wallet.amount'),
      end: true,
      className: 'py-1.5',
      cell: (row) => <Changes journal={row} />,
    },
  ];
  return (
    <>
      <Table
        label={t('wallet.statement')}
        rows={rows}
        rowKey={(row) => row.id}
        onRow={open}
        empty={t('wallet.noRecords')}
        cards={false}
        columns={columns}
      />
      {opened && <JournalDialog journal={opened} onClose={() => open(undefined)} />}
    </>
  );
}

/** A journal with all its lines: account, amount and balance after each. */
function JournalDialog({ journal, onClose }: { journal: StatementJournal; onClose: () => void }) {
  const { t } = useTranslation();
  const accountName = useAccountName();
  const columns: Column<WalletLog>[] = [
    {
      id: 'account',
      header: t('wallet.account'),
      wraps: true,
      className: 'py-1.5',
      cell: (line) => (
        <>
          {accountName(line.account)} <span className="text-t2">· {t(stateKey(line))}</span>
          {line.is_fee === 1 && <span className="block text-label text-t2">{t('wallet.fee')}</span>}
        </>
      ),
    },
    {
      id: 'amount',
      header: t('wallet.amount'),
      end: true,
      cell: (line) => (
        <>
          <SignedAmount amount={line.value} coin={line.currency_name} />
          <Num className="block text-label text-t2 md:hidden">{formatBalance(line.balance_after)}</Num>
        </>
      ),
    },
    {
      id: 'after',
      header: t('wallet.balanceAfter'),
      end: true,
      className: 'max-md:hidden',
      cell: (line) => <Num className="text-t2">{formatBalance(line.balance_after)}</Num>,
    },
  ];
  const name = `${t('wallet.journal')} ${journal.id}`;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={name}
      description={
        <>
          <Cause journal={journal} /> · <Time>{journal.created_time}</Time>
        </>
      }
      closeLabel={t('common.close')}
    >
      <Table
        label={name}
        rows={journal.lines}
        rowKey={(line) => line.id}
        empty={t('wallet.noRecords')}
        cards={false}
        columns={columns}
      />
    </Dialog>
  );
}
