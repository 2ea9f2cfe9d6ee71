import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Button, Dialog, NO_NUMBER, Num, PERSONAL_TEXT, Skeleton, type Tone } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { choiceFilter, personFilter } from '../../../parts/list-common-filters.js';
import { created, owner, unsorted } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { useCoinNames } from '../../../parts/use-coin-names.js';
import { When } from '../../../parts/when.js';
import { candidatesOf, type ClaimRow } from '../model/claim.js';

const PATH = '/api/admin/charge_reqs';
const TONES: Readonly<Record<ClaimRow['status'], Tone>> = { 1: 'warn', 2: 'up', 3: 'plain', 4: 'plain' };
/** The search covers the newest deposits; an older one is linked by its number. */
const SEARCHED_DEPOSITS = '100';

/** The outcomes of a claim, by the status that the call takes (api §2.12). */
const DECISIONS = { link: 2, refuse: 3, close: 4 } as const;
type Decision = keyof typeof DECISIONS;
interface Deciding {
  readonly claim: ClaimRow;
  readonly decision: Decision;
  /** The deposit that was chosen; without it its number is typed. */
  readonly deposit?: string;
}

/**
 * Claims that a deposit is missing. They are linked to a deposit of the chain, or refused; neither credits anything.
 */
export default function DepositClaims() {
  const { t } = useTranslation();
  const nameOf = useCoinNames();
  const [shown, setShown] = useState<ClaimRow | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const close = (): void => {
    setDeciding(null);
    setShown(null);
  };
  return (
    <>
      <ListPage
        name="deposit-claims"
        title={t('place.depositClaims')}
        path={PATH}
        filters={[
          choiceFilter('status', t('console.people.state'), Object.keys(TONES), (value) =>
            t(`console.depositClaims.state.${value}`),
          ),
          personFilter(t),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => id },
          unsorted(owner(t)),
          {
            id: 'amount',
            label: t('console.people.amount'),
            cell: ({ amount, currency }) => <Money amount={amount} currency={nameOf(currency)} />,
            sort: ({ amount }) => amount,
            csv: ({ amount, currency }) => `${amount} ${nameOf(currency)}`,
          },
          {
            id: 'account',
            label: t('console.depositClaims.account'),
            cell: ({ account }) => <bdi className="break-all">{account}</bdi>,
            csv: ({ account }) => account,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: ({ status }) => <Badge tone={TONES[status]}>{t(`console.depositClaims.state.${status}`)}</Badge>,
            sort: ({ status }) => status,
          },
          {
            id: 'deposit',
            label: t('console.deposits.one'),
            cell: ({ deposit_id: id }) => (id === '' ? NO_NUMBER : <Num>{id}</Num>),
            csv: ({ deposit_id: id }) => id,
            wide: true,
          },
          {
            id: 'reason',
            label: t('console.people.reason'),
            cell: ({ reason }) => <span {...PERSONAL_TEXT}>{reason}</span>,
            csv: ({ reason }) => reason,
            wide: true,
          },
          created(t),
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
        actions={(claim) =>
          claim.status === 1 && (
            <span className="flex gap-1">
              <Button size="small" kind="primary" onClick={() => setShown(claim)}>
                {t('console.depositClaims.find')}
              </Button>
              <Button size="small" kind="danger" onClick={() => setDeciding({ claim, decision: 'refuse' })}>
                {t('console.depositClaims.refuse')}
              </Button>
            </span>
          )
        }
      />
      {shown && !deciding && (
        <Details
          claim={shown}
          coin={nameOf(shown.currency)}
          onClose={close}
          onDecide={(decision, deposit) =>
            setDeciding({ claim: shown, decision, ...(deposit === undefined ? {} : { deposit }) })
          }
        />
      )}
      {deciding && <Decide {...deciding} coin={nameOf(deciding.claim.currency)} onClose={close} />}
    </>
  );
}

type OnDecide = (decision: Decision, deposit?: string) => void;
function Details({
  claim,
  coin,
  onClose,
  onDecide,
}: {
  claim: ClaimRow;
  coin: string;
  onClose: () => void;
  onDecide: OnDecide;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.depositClaims.one')} <Num>{claim.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
      actions={
        claim.status === 1 && (
          <>
            <Button kind="danger" onClick={() => onDecide('refuse')}>
              {t('console.depositClaims.refuse')}
            </Button>
            <Button onClick={() => onDecide('close')}>{t('console.depositClaims.close')}</Button>
            <Button kind="primary" onClick={() => onDecide('link')}>
              {t('console.depositClaims.byNumber')}
            </Button>
          </>
        )
      }
    >
      <Facts
        rows={[
          [t('console.people.state'), t(`console.depositClaims.state.${claim.status}`)],
          [t('console.people.person'), <PersonLink key="person" id={claim.user_id} />],
          [t('console.people.amount'), <Money key="amount" amount={claim.amount} currency={coin} />],
          [
            t('console.depositClaims.account'),
            <bdi key="account" className="break-all">
              {claim.account}
            </bdi>,
          ],
          [t('console.deposits.one'), claim.deposit_id === '' ? NO_NUMBER : <Num key="id">{claim.deposit_id}</Num>],
          [
            t('console.people.reason'),
            <span key="reason" {...PERSONAL_TEXT}>
              {claim.reason === '' ? NO_NUMBER : claim.reason}
            </span>,
          ],
          [t('console.people.time'), <When key="time" time={claim.create_time} />],
        ]}
      />
      {claim.status === 1 && <Candidates claim={claim} onDecide={onDecide} />}
    </Dialog>
  );
}

/** Deposits that fit the claim, the likeliest first. */
function Candidates({ claim, onDecide }: { claim: ClaimRow; onDecide: OnDecide }) {
  const { t } = useTranslation();
  const deposits = useAdminQuery('/api/admin/deposits', { limit: SEARCHED_DEPOSITS });
  if (deposits.isPending) return <Skeleton className="h-20 w-full" />;
  if (!deposits.data) return <Failed error={deposits.error} retry={() => void deposits.refetch()} />;
  const found = candidatesOf(claim, deposits.data.data);
  return (
    <section aria-label={t('console.depositClaims.candidates')} className="flex flex-col gap-2">
      <h3 className="text-body font-semibold">{t('console.depositClaims.candidates')}</h3>
      {found.length === 0 && <p className="text-table text-t2">{t('console.depositClaims.none')}</p>}
      <ul className="flex flex-col gap-2">
        {found.map((deposit) => (
          <li
            key={deposit.id}
            className="flex min-w-0 flex-col gap-1 rounded-panel border border-line bg-bg2 px-3 py-2 text-table"
          >
            <span className="flex flex-wrap items-center justify-between gap-2">
              <Money amount={deposit.amount} currency={deposit.currency_name} />
              <Badge tone="plain">{t(`console.deposits.state.${deposit.state}`)}</Badge>
            </span>
            <Num className="break-all">{deposit.tx_id}</Num>
            <span className="flex flex-wrap items-center justify-between gap-2">
              <When time={deposit.create_time} />
              <Button size="small" onClick={() => onDecide('link', deposit.id)}>
                {t('console.depositClaims.link')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decide({ claim, decision, deposit, coin, onClose }: Deciding & { coin: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ActDialog
      open
      onClose={onClose}
      title={t(`console.depositClaims.${decision}Title`, { id: claim.id })}
      explain={t(`console.depositClaims.${decision}Explain`, { amount: `${claim.amount} ${coin}` })}
      danger={decision !== 'link'}
      fields={
        decision === 'link'
          ? [{ name: 'deposit_id', label: t('console.depositClaims.deposit'), kind: 'text', required: true }]
          : []
      }
      {...(deposit === undefined ? {} : { initial: { deposit_id: deposit } })}
      action={t(`console.depositClaims.${decision}`)}
      path={`${PATH}/decide`}
      body={{ id: claim.id, status: DECISIONS[decision] }}
      invalidate={[PATH]}
    />
  );
}
