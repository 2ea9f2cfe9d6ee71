import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { AccountChange, Product, StatementJournal } from '@bourse/contract';
import { cx, directionOf, Num } from '@bourse/ui';
import { SignedAmount } from '../../../parts/signed-amount.js';
import { homeOfCause } from '../model/statement.js';
import { ACCOUNT_TEXT } from '../model/wallet.js';

/** Name of an account: of the wallet in words, of others as the ledger names them. */
export function useAccountName(): (account: string) => string {
  const { t } = useTranslation();
  return (account) => (account in ACCOUNT_TEXT ? t(ACCOUNT_TEXT[account as Product]) : account);
}

/** The cause in words, with a link to its screen. */
export function Cause({ journal }: { journal: Pick<StatementJournal, 'info' | 'cause_type' | 'cause_id'> }) {
  const { info, cause_type: type, cause_id: id } = journal;
  const home = homeOfCause(type, id);
  const words = (
    <>
      {info}
      {id !== '' && (
        <span className="ms-1 text-t2">
          <Num>#{/^\d{11,}$/.test(id) ? `${id.slice(0, 8)}…` : id}</Num>
        </span>
      )}
    </>
  );
  return home ? (
    <Link
      to={home}
      title={id}
      className="inline-block min-h-6 underline decoration-line-strong underline-offset-2 hover:text-t1"
    >
      {words}
    </Link>
  ) : (
    <span title={id}>{words}</span>
  );
}

/** The changes of a journal, a line for each account; of a hold, the held amounts. */
export function Changes({ journal: { changes, is_hold: isHold } }: { journal: StatementJournal }) {
  return changes.map((change) => (
    <Change key={`${change.account}:${change.currency_id}`} change={change} isHold={isHold === 1} />
  ));
}

function Change({ change, isHold }: { change: AccountChange; isHold: boolean }) {
  const { t } = useTranslation();
  const accountName = useAccountName();
  const { account, currency_name: coin, value, held, fee } = change;
  const line = (text: string, name: string, className?: string) => (
    <span className={cx('block', className)}>
      <span className="text-label text-t2 max-md:block">{name}</span>{' '}
      <SignedAmount amount={text} coin={coin} plain={isHold} />
    </span>
  );
  if (isHold) return line(held, `${accountName(account)} · ${t('wallet.frozen')}`);
  return (
    <>
      {directionOf(value) !== 0 && line(value, accountName(account))}
      {directionOf(fee) !== 0 && line(fee, t('wallet.fee'), 'text-label')}
    </>
  );
}
