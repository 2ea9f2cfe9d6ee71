import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, NO_NUMBER, Num } from '@bourse/ui';
import type { Journal } from '../../../core/journal.js';
import { dayFilters, personFilter } from '../../../parts/list-common-filters.js';
import { numbers, times, words } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { PersonLink } from '../../../parts/person-link.js';
import { byCurrency, legsText, peopleIn, type CurrencyLegs } from '../model/journal.js';
import { JournalDetails } from './journal-details.js';

/** People named in a row; the journal itself names all. */
const PEOPLE_SHOWN = 3;

/** The books: what was booked, newest first, and whether each journal adds up. */
export default function Journals() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Journal | null>(null);
  return (
    <>
      <ListPage<'/api/admin/journals'>
        name="journals"
        title={t('place.journals')}
        path="/api/admin/journals"
        filters={[
          personFilter(t),
          { name: 'cause_type', label: t('console.journals.causeType'), kind: 'text' },
          { name: 'cause_id', label: t('console.journals.causeId'), kind: 'text' },
          ...dayFilters(t),
        ]}
        columns={[
          times('time', t('console.people.time'), ({ time }) => time),
          words('cause', t('console.journals.causeType'), ({ cause_type: cause }) => cause),
          numbers('causeId', t('console.journals.causeId'), ({ cause_id: id }) => id),
          {
            id: 'people',
            label: t('console.people.person'),
            cell: ({ legs }) => <People ids={peopleIn(legs)} />,
            csv: ({ legs }) => peopleIn(legs).join(' '),
          },
          {
            id: 'sums',
            label: t('console.journals.sum'),
            cell: ({ legs }) => (
              <span className="flex flex-wrap gap-1">
                {byCurrency(legs).map((one) => (
                  <SumBadge key={one.currency} of={one} />
                ))}
              </span>
            ),
            csv: ({ legs }) =>
              byCurrency(legs)
                .map(({ sum, currency }) => `${sum} ${currency}`)
                .join('; '),
          },
          {
            id: 'legs',
            label: t('console.journals.legs'),
            cell: ({ legs }) => <Num>{legs.length}</Num>,
            csv: ({ legs }) => legsText(legs),
            wide: true,
          },
          {
            id: 'id',
            label: t('console.people.journal'),
            cell: ({ id }) => <Num className="break-all">{id}</Num>,
            csv: ({ id }) => id,
            wide: true,
          },
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
      />
      {shown && <JournalDetails journal={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function People({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return <>{NO_NUMBER}</>;
  return (
    <span className="flex flex-wrap gap-x-2">
      {ids.slice(0, PEOPLE_SHOWN).map((id) => (
        <PersonLink key={id} id={id} />
      ))}
      {ids.length > PEOPLE_SHOWN && <Num className="text-t2">+{ids.length - PEOPLE_SHOWN}</Num>}
    </span>
  );
}

function SumBadge({ of: { sum, currency, isEven } }: { of: CurrencyLegs }) {
  return (
    <Badge tone={isEven ? 'up' : 'down'}>
      <Num>
        {isEven ? '0' : sum} {currency}
      </Num>
    </Badge>
  );
}
