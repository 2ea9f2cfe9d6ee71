import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Badge, Num } from '@bourse/ui';
import { numbers, times, words } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import { rolesOf } from '../model/person.js';
import { FROZEN_TEXTS, REVIEW } from './words.js';

const ROLES = ['seller', 'acceptor', 'region', 'points', 'frozen', 'same_contact'] as const;

/** People, the newest first; found by id, e-mail address, phone number or name. */
export default function Users() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <ListPage<'/api/admin/users'>
      name="users"
      title={t('console.users.title')}
      path="/api/admin/users"
      filters={[
        { name: 'keyword', label: t('console.users.keyword'), kind: 'text' },
        choiceFilter('role', t('console.users.role'), ROLES, (value) => t(`console.users.is.${value}`)),
      ]}
      columns={[
        numbers('id', t('console.people.id'), ({ id }) => id),
        words('account', t('console.people.account'), ({ account_number: account }) => account),
        {
          id: 'email',
          label: t('console.people.email'),
          cell: ({ email }) => <bdi className="break-all">{email}</bdi>,
          sort: ({ email }) => email,
        },
        {
          id: 'phone',
          label: t('console.people.phone'),
          cell: ({ phone }) => <Num>{phone}</Num>,
          csv: ({ phone }) => phone,
          wide: true,
        },
        words('name', t('console.people.name'), ({ name }) => name),
        {
          id: 'kyc',
          label: t('console.people.identity'),
          cell: ({ review_status: state }) => <Badge tone={REVIEW[state].tone}>{t(REVIEW[state].text)}</Badge>,
          sort: ({ review_status: state }) => state,
        },
        {
          id: 'frozen',
          label: t('console.users.frozen'),
          cell: ({ frozen }) =>
            frozen === 'none' ? t('console.users.scope.none') : <Badge tone="warn">{t(FROZEN_TEXTS[frozen])}</Badge>,
          sort: ({ frozen }) => frozen,
        },
        {
          id: 'roles',
          label: t('console.users.roles'),
          cell: (row) =>
            rolesOf(row)
              .map((text) => t(text))
              .join(', '),
          csv: (row) => rolesOf(row).join(' '),
          wide: true,
        },
        {
          id: 'nationality',
          label: t('console.people.nationality'),
          cell: ({ nationality }) => nationality,
          csv: ({ nationality }) => nationality,
          wide: true,
        },
        times('created', t('console.users.registered'), ({ created_at: at }) => at),
      ]}
      rowKey={({ id }) => String(id)}
      onOpen={({ id }) => void navigate(`/users/${id}`)}
    />
  );
}
