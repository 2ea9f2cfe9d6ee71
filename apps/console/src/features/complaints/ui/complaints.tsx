import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Badge, Num } from '@bourse/ui';
import { choiceFilter, personFilter } from '../../../parts/list-common-filters.js';
import { owner, times, unsorted } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { COMPLAINT_TONES } from '../model/complaint.js';

/** Complaints; the open one that has waited longest is first. */
export default function Complaints() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <ListPage<'/api/admin/complaints'>
      name="complaints"
      title={t('console.complaints.title')}
      path="/api/admin/complaints"
      filters={[
        choiceFilter('state', t('console.people.state'), ['open', 'answered', 'closed'], (value) =>
          t(`console.complaints.is.${value}`),
        ),
        personFilter(t),
      ]}
      columns={[
        { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => String(id) },
        {
          id: 'subject',
          label: t('console.complaints.subject'),
          cell: ({ subject }) => <bdi className="break-words">{subject}</bdi>,
          sort: ({ subject }) => subject,
        },
        {
          id: 'kind',
          label: t('console.people.kind'),
          cell: ({ kind }) => t(`console.complaints.kind.${kind}`),
          csv: ({ kind }) => kind,
        },
        unsorted(owner(t)),
        {
          id: 'state',
          label: t('console.people.state'),
          cell: ({ state }) => <Badge tone={COMPLAINT_TONES[state]}>{t(`console.complaints.is.${state}`)}</Badge>,
          sort: ({ state }) => state,
        },
        {
          id: 'lang',
          label: t('console.users.language'),
          cell: ({ lang }) => lang,
          csv: ({ lang }) => lang,
          wide: true,
        },
        times('moved', t('console.complaints.moved'), ({ update_time: at }) => at),
      ]}
      rowKey={({ id }) => String(id)}
      onOpen={({ id }) => void navigate(`/complaints/${id}`)}
    />
  );
}
