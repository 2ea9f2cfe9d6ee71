import { useTranslation } from 'react-i18next';
import { Alert, Dialog, Num, Table } from '@bourse/ui';
import type { Journal } from '../../../core/journal.js';
import { Facts } from '../../../parts/detail.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import { byCurrency, isPersons, type CurrencyLegs } from '../model/journal.js';

/** One journal with all its legs, by currency, each currency with its sum. */
export function JournalDetails({ journal, onClose }: { journal: Journal; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.people.journal')} <Num className="break-all">{journal.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
    >
      <div className="flex flex-col gap-4">
        <Facts
          rows={[
            [t('console.people.time'), <When key="time" time={journal.time} />],
            [t('console.journals.causeType'), <bdi key="cause">{journal.cause_type}</bdi>],
            [
              t('console.journals.causeId'),
              <Num key="id" className="break-all">
                {journal.cause_id}
              </Num>,
            ],
          ]}
        />
        {byCurrency(journal.legs).map((one) => (
          <Legs key={one.currency} of={one} />
        ))}
      </div>
    </Dialog>
  );
}

function Legs({ of: { currency, legs, sum, isEven } }: { of: CurrencyLegs }) {
  const { t } = useTranslation();
  return (
    <div data-currency={currency} className="flex flex-col gap-2">
      <Table
        label={t('console.journals.legsIn', { currency })}
        cards={false}
        columns={[
          {
            id: 'owner',
            header: t('console.journals.owner'),
            cell: (leg) => (isPersons(leg) ? <PersonLink id={leg.owner} /> : t('console.journals.house')),
          },
          {
            id: 'account',
            header: t('console.people.accountType'),
            cell: ({ account, state }) => (
              <>
                <bdi>{account}</bdi> <span className="text-t2">{t(`console.journals.state.${state}`)}</span>
              </>
            ),
            wraps: true,
          },
          {
            id: 'amount',
            header: currency,
            cell: ({ amount }) => <Money amount={amount} />,
            end: true,
          },
        ]}
        rows={legs.map((leg, at) => ({ ...leg, at }))}
        rowKey={({ at }) => String(at)}
        empty=""
        footer={
          <p className="flex justify-between gap-2 border-t border-line p-2 text-table font-medium">
            {t('console.journals.sum')}
            <span data-sum="">
              <Money amount={sum} currency={currency} />
            </span>
          </p>
        }
      />
      {!isEven && <Alert tone="error">{t('console.journals.uneven', { currency })}</Alert>}
    </div>
  );
}
