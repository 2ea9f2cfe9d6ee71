import { useTranslation } from 'react-i18next';
import { ActDialog } from '../../../parts/act-dialog.js';
import { useCoins } from '../../../parts/use-coin-names.js';
import { FUNDED } from '../model/house.js';

/** Queries that a request or a decision makes stale: the second of them books the movement. */
export const BOOKS = ['/api/admin/adjustments', '/api/admin/house', '/api/admin/journals'] as const;

/** An account of the house: its name in the books, and its purpose. */
export function AccountName({ account }: { account: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-x-2">
      <bdi>{account}</bdi>
      <span className="text-t2">{t(`console.house.is.${account}`, '')}</span>
    </span>
  );
}

/** Asks for a movement between two accounts of the house. */
export function Fund({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const coins = useCoins();
  const accounts = FUNDED.map((value) => ({ value, label: `${value} · ${t(`console.house.is.${value}`)}` }));
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t('console.house.fund')}
      explain={t('console.house.fundExplain')}
      fields={[
        { name: 'from', label: t('console.house.from'), kind: 'choice', options: accounts, required: true },
        { name: 'to', label: t('console.house.to'), kind: 'choice', options: accounts, required: true },
        {
          name: 'currency_id',
          label: t('console.people.coin'),
          kind: 'choice',
          options: coins.map(({ id, name }) => ({ value: String(id), label: name })),
          required: true,
        },
        { name: 'amount', label: t('console.people.amount'), kind: 'amount', required: true },
        {
          name: 'note',
          label: t('console.house.note'),
          kind: 'long',
          hint: t('console.house.noteHint'),
          required: true,
        },
      ]}
      action={t('console.house.fund')}
      path="/api/admin/house/fund"
      invalidate={BOOKS}
    />
  );
}
