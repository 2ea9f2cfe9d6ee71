import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import { PageHead, Section } from '../../../parts/detail.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { amounts, words } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { HOUSE_ACCOUNTS, narrowed } from '../model/house.js';
import { AccountName, Fund } from './fund.js';
import { Movements } from './movements.js';
import { Sums } from './sums.js';

/** The balances of the house by account and coin, and the movements between them by two operators. */
export default function House() {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <PageHead
        title={t('place.house')}
        actions={
          <Button size="small" kind="primary" onClick={() => setIsAsking(true)}>
            {t('console.house.fund')}
          </Button>
        }
      />
      <Sums />
      <Section title={t('console.house.balances')}>
        <ListPage<'/api/admin/house'>
          inside
          name="house"
          title={t('console.people.tableOf', { of: t('console.house.balances') })}
          path="/api/admin/house"
          filters={[
            { ...choiceFilter('account', t('console.house.account'), HOUSE_ACCOUNTS, String), here: true },
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
            words('currency', t('console.people.coin'), ({ currency }) => currency),
            amounts('balance', t('console.house.balance'), ({ balance }) => balance),
            amounts('held', t('console.house.held'), ({ held }) => held),
          ]}
          rowKey={({ account, currency }) => `${account} ${currency}`}
        />
      </Section>
      <Movements />
      {isAsking && <Fund onClose={() => setIsAsking(false)} />}
    </>
  );
}
