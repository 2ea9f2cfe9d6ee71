import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { HOUSE_ACCOUNTS, narrowed } from '../model/house.js';
import { AccountName, Fund } from './fund.js';
import { Movements } from './movements.js';

/** The balances of the house by account and coin, and the movements between them by two operators. */
export default function House() {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <ListPage
        name="house"
        title={t('place.house')}
        path="/api/admin/house"
        tools={
          <Button size="small" kind="primary" onClick={() => setIsAsking(true)}>
            {t('console.house.fund')}
          </Button>
        }
        filters={[
          {
            name: 'account',
            label: t('console.house.account'),
            kind: 'choice',
            options: HOUSE_ACCOUNTS.map((value) => ({ value, label: value })),
            here: true,
          },
          { name: 'currency', label: t('console.people.coin'), kind: 'text', here: true },
        ]}
        rowsOf={(rows, valueOf) => narrowed(rows, valueOf('account'), valueOf('currency'))}
        columns={[
          {
            id: 'account',
            label: t('console.house.account'),
            cell: ({ account }) => <AccountName account={account} />,
            sort: ({ account }) => account,
          },
          {
            id: 'currency',
            label: t('console.people.coin'),
            cell: ({ currency }) => <bdi>{currency}</bdi>,
            sort: ({ currency }) => currency,
          },
          {
            id: 'balance',
            label: t('console.house.balance'),
            cell: ({ balance }) => <Money amount={balance} />,
            sort: ({ balance }) => balance,
          },
          {
            id: 'held',
            label: t('console.house.held'),
            cell: ({ held }) => <Money amount={held} />,
            sort: ({ held }) => held,
          },
        ]}
        rowKey={({ account, currency }) => `${account} ${currency}`}
      />
      <Movements />
      {isAsking && <Fund onClose={() => setIsAsking(false)} />}
    </>
  );
}
