import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { Badge, NO_NUMBER, Num, PERSONAL_TEXT, Skeleton, Table } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { mayDo, useOperator } from '../../../core/operator.js';
import { Facts, Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { PersonLink, PersonLinks } from '../../../parts/person-link.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { When } from '../../../parts/when.js';
import { addressOf, SCREEN_PLACES, type ScreenName } from '../../../paths.js';
import { heldBalances, rolesOf, titleOf, type PersonFile } from '../model/person.js';
import { PersonActs } from './person-acts.js';
import { PersonLists } from './person-lists.js';
import { FROZEN_TEXTS, REVIEW } from './words.js';

const NOBODY: readonly string[] = [];
const orDash = (text: string): string => (text === '' ? NO_NUMBER : text);

/** Everything about one person: profile, balances, their acts, and the acts of operators on them. */
export default function Person() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const file = useAdminQuery(`/api/admin/users/${encodeURIComponent(id)}`, {});
  if (file.isPending) return <Skeleton className="h-80 w-full" />;
  if (!file.data) return <Failed error={file.error} retry={() => void file.refetch()} />;
  const person = file.data;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Link to="/users" className="w-fit text-table underline hover:text-t2">
        {t('console.users.back')}
      </Link>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-last font-semibold break-words" {...PERSONAL_TEXT}>
            {titleOf(person)}
          </h1>
          <p className="flex flex-wrap items-center gap-2 text-table text-t2">
            <Num>{person.id}</Num>
            <Badge tone={REVIEW[person.review_status].tone}>{t(REVIEW[person.review_status].text)}</Badge>
            {person.frozen !== 'none' && (
              <Badge tone="down">
                {t('console.users.frozen')}: {t(FROZEN_TEXTS[person.frozen])}
              </Badge>
            )}
            {rolesOf(person).map((text) => (
              <Badge key={text}>{t(text)}</Badge>
            ))}
          </p>
        </div>
        <PersonActs person={person} />
      </header>
      <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
        <Profile person={person} />
        <Identity person={person} />
      </div>
      <Balances person={person} />
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-2">
        <Holds person={person} />
        <Sessions person={person} />
      </div>
      <ListsOf id={person.id} />
      <PersonLists id={person.id} />
    </div>
  );
}

/** Links to screens filtered by this person, each only for the roles that may read it. */
const LISTS: readonly ScreenName[] = ['deposits', 'depositClaims', 'withdrawals', 'appeals'];
function ListsOf({ id }: { id: number }) {
  const { t } = useTranslation();
  const roles = useOperator(({ me }) => me?.roles ?? NOBODY);
  return (
    <nav aria-label={t('console.users.lists')} className="flex flex-wrap gap-x-4 gap-y-1 text-table">
      <Link to={addressOf('kycCase', id)} className="underline hover:text-t2">
        {t(SCREEN_PLACES.kyc.label)}
      </Link>
      {LISTS.filter((name) => mayDo(roles, SCREEN_PLACES[name].role)).map((name) => (
        <Link key={name} to={`${addressOf(name)}?user_id=${id}`} className="underline hover:text-t2">
          {t(SCREEN_PLACES[name].label)}
        </Link>
      ))}
    </nav>
  );
}

function Profile({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  const yes = (flag: 0 | 1): string => t(flag ? 'console.people.yes' : 'console.people.no');
  return (
    <Section title={t('console.users.profile')}>
      <Facts
        rows={[
          [t('console.people.account'), <bdi key="account">{person.account_number}</bdi>],
          [t('console.people.email'), orDash(person.email)],
          [t('console.people.phone'), <Num key="phone">{orDash(person.phone)}</Num>],
          ...(person.same_contact.length === 0
            ? []
            : ([[t('console.users.sameContact'), <PersonLinks key="same" ids={person.same_contact} />]] as const)),
          [t('console.people.nationality'), orDash(person.nationality)],
          [t('console.users.language'), person.lang],
          [t('console.users.invite'), <Num key="invite">{person.extension_code}</Num>],
          [
            t('console.users.inviter'),
            person.inviter_id === 0 ? orDash('') : <PersonLink key="inviter" id={person.inviter_id} />,
          ],
          [t('console.users.registered'), <When key="at" time={person.created_at} />],
          [t('console.users.totp'), yes(person.totp)],
          [t('console.users.fund'), yes(person.has_fund_password)],
          [t('console.users.blockedUntil'), <When key="until" time={person.withdrawals_blocked_until} />],
        ]}
      />
    </Section>
  );
}

function Identity({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  const { bank } = person;
  return (
    <Section title={t('console.people.identity')}>
      <Facts
        rows={[
          [
            t('console.people.state'),
            <Link key="kyc" to={addressOf('kycCase', person.id)} className="underline">
              {t(REVIEW[person.review_status].text)}
            </Link>,
          ],
          [t('console.people.name'), <bdi key="name">{orDash(person.name)}</bdi>],
          [t('console.kyc.reason'), orDash(person.review_reason)],
          [t('console.users.region'), orDash(person.region)],
          ...(bank
            ? ([
                [t('console.users.bankHolder'), orDash(bank.real_name)],
                [t('console.users.bankName'), orDash(bank.bank_name)],
                [t('console.users.bankNumber'), <Num key="no">{bank.bank_no}</Num>],
                [t('console.users.bankRegion'), orDash(bank.region)],
              ] as const)
            : ([[t('console.users.bankName'), t('console.people.no')]] as const)),
        ]}
      />
    </Section>
  );
}

function Balances({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  return (
    <Section title={t('console.users.balances')}>
      <Table
        label={t('console.people.tableOf', { of: t('console.users.balances') })}
        rows={heldBalances(person.balances)}
        rowKey={({ account, currency }) => `${account} ${currency}`}
        empty={t('console.users.noBalances')}
        columns={[
          { id: 'account', header: t('console.people.accountType'), cell: ({ account }) => account, card: 'title' },
          { id: 'coin', header: t('console.people.coin'), cell: ({ currency }) => nameOf(currency), card: 'title' },
          { id: 'free', header: t('console.users.free'), cell: ({ balance }) => <Num>{balance}</Num>, end: true },
          {
            id: 'held',
            header: t('console.users.held'),
            cell: ({ lock_balance: held }) => <Num>{held}</Num>,
            end: true,
          },
        ]}
      />
    </Section>
  );
}

function Holds({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  return (
    <Section title={t('console.users.holds')}>
      <Table
        label={t('console.people.tableOf', { of: t('console.users.holds') })}
        rows={person.holds}
        rowKey={({ account, currency_name: coin, cause_type: type, cause_id: id }) =>
          `${account} ${coin} ${type} ${id}`
        }
        empty={t('console.users.noHolds')}
        columns={[
          { id: 'info', header: t('console.users.cause'), cell: ({ info }) => info, wraps: true, card: 'title' },
          { id: 'id', header: t('console.people.id'), cell: ({ cause_id: id }) => <Num>{id}</Num> },
          { id: 'account', header: t('console.people.accountType'), cell: ({ account }) => account },
          {
            id: 'amount',
            header: t('console.people.amount'),
            end: true,
            cell: ({ amount, currency_name: coin }) => (
              <Num>
                {amount} {coin}
              </Num>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Sessions({ person }: { person: PersonFile }) {
  const { t } = useTranslation();
  return (
    <Section title={t('console.users.sessions')}>
      <Table
        label={t('console.people.tableOf', { of: t('console.users.sessions') })}
        rows={person.sessions}
        rowKey={({ id }) => id}
        empty={t('console.users.noSessions')}
        columns={[
          { id: 'agent', header: t('console.users.agentName'), cell: ({ agent }) => agent, wraps: true, card: 'title' },
          { id: 'ip', header: t('console.users.ip'), cell: ({ ip }) => <Num>{ip}</Num> },
          { id: 'last', header: t('console.users.lastSeen'), cell: ({ last_at: at }) => <When time={at} /> },
          { id: 'created', header: t('console.users.signedIn'), cell: ({ created_at: at }) => <When time={at} /> },
        ]}
      />
    </Section>
  );
}
