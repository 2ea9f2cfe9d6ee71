import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DepositState } from '@bourse/contract';
import { Badge, Button, Dialog, NO_NUMBER, Num, type Tone } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts } from '../../../parts/detail.js';
import { choiceFilter, personFilter } from '../../../parts/list-common-filters.js';
import { coins, created } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { Money } from '../../../parts/money.js';
import { PersonLink } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import type { DepositRow } from '../model/claim.js';
import { useOpenRow } from '../../../core/use-open-row.js';

const PATH = '/api/admin/deposits';
const TONES: Readonly<Record<DepositState, Tone>> = { seen: 'plain', held: 'warn', credited: 'up', returned: 'plain' };

const STATES = Object.keys(TONES) as readonly DepositState[];

/** Deposits that were seen on the chains, newest first. */
export default function Deposits() {
  const { t } = useTranslation();
  const [opened, setShown] = useState<DepositRow | null>(null);
  const shown = useOpenRow(PATH, opened);
  const [returning, setReturning] = useState<DepositRow | null>(null);
  return (
    <>
      <ListPage<typeof PATH>
        name="deposits"
        title={t('place.deposits')}
        path={PATH}
        filters={[
          choiceFilter('state', t('console.people.state'), STATES, (value) => t(`console.deposits.state.${value}`)),
          personFilter(t),
          { name: 'id', label: t('console.people.id'), kind: 'id' },
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, sort: ({ id }) => id },
          {
            id: 'person',
            label: t('console.people.person'),
            cell: ({ user_id: id }) => <Owner id={id} />,
            sort: ({ user_id: id }) => id,
          },
          coins('amount', t('console.people.amount'), ({ amount, currency_name: coin }) => [amount, coin]),
          {
            id: 'chain',
            label: t('console.deposits.chain'),
            cell: ({ chain }) => chain,
            sort: ({ chain }) => chain,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: (row) => <State row={row} />,
            sort: ({ state }) => state,
          },
          {
            id: 'confirmations',
            label: t('console.deposits.confirmations'),
            cell: ({ confirmations, needed }) => (
              <Num>
                {confirmations}/{needed}
              </Num>
            ),
            sort: ({ confirmations }) => confirmations,
            csv: ({ confirmations, needed }) => `${confirmations}/${needed}`,
          },
          {
            id: 'tx',
            label: t('console.deposits.tx'),
            cell: ({ tx_id: tx }) => <Num className="break-all">{tx}</Num>,
            csv: ({ tx_id: tx }) => tx,
            wide: true,
          },
          created(t),
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
      />
      {shown && !returning && (
        <Details row={shown} onClose={() => setShown(null)} onReturn={() => setReturning(shown)} />
      )}
      {returning && (
        <ActDialog
          open
          onClose={() => {
            setReturning(null);
            setShown(null);
          }}
          title={t('console.deposits.sendBack')}
          explain={t('console.deposits.sendBackExplain', {
            amount: `${returning.amount} ${returning.currency_name}`,
          })}
          danger
          fields={[
            { name: 'address', label: t('console.deposits.returnAddress'), kind: 'text', required: true },
            { name: 'memo', label: t('console.deposits.memo'), kind: 'text' },
          ]}
          action={t('console.deposits.sendBack')}
          path={`${PATH}/return`}
          body={{ id: returning.id }}
          invalidate={[PATH]}
        />
      )}
    </>
  );
}

/** The owner of a deposit; a payment without a memo, or with a wrong one, has none. */
function Owner({ id }: { id: number }) {
  const { t } = useTranslation();
  return id === 0 ? <>{t('console.deposits.nobody')}</> : <PersonLink id={id} />;
}

function State({ row: { state, lost } }: { row: DepositRow }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={TONES[state]}>{t(`console.deposits.state.${state}`)}</Badge>
      {lost === 1 && <Badge tone="down">{t('console.deposits.lost')}</Badge>}
    </span>
  );
}

function Details({ row, onClose, onReturn }: { row: DepositRow; onClose: () => void; onReturn: () => void }) {
  const { t } = useTranslation();
  const long = (text: string) => (text === '' ? NO_NUMBER : <Num className="break-all">{text}</Num>);
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.deposits.one')} <Num>{row.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
    >
      <Facts
        rows={[
          [t('console.people.state'), <State key="state" row={row} />],
          [t('console.people.person'), <Owner key="person" id={row.user_id} />],
          [t('console.people.amount'), <Money key="amount" amount={row.amount} currency={row.currency_name} />],
          [t('console.deposits.chain'), row.chain],
          [
            t('console.deposits.confirmations'),
            <Num key="confirmations">
              {row.confirmations}/{row.needed}
            </Num>,
          ],
          [t('console.deposits.address'), long(row.address)],
          [t('console.deposits.memo'), long(row.memo)],
          [t('console.deposits.contract'), long(row.contract_address)],
          [t('console.deposits.tx'), long(row.tx_id)],
          [t('console.deposits.output'), <Num key="output">{row.output}</Num>],
          [t('console.people.time'), <When key="time" time={row.create_time} />],
          ...(row.state === 'returned'
            ? ([
                [t('console.deposits.returnAddress'), long(row.return_address)],
                [
                  t('console.deposits.returnFee'),
                  <Money key="fee" amount={row.return_fee} currency={row.currency_name} />,
                ],
                [t('console.deposits.returnTx'), long(row.return_tx_id)],
              ] as const)
            : []),
        ]}
      />
      {row.user_id === 0 && row.state === 'held' && (
        <Button kind="danger" onClick={onReturn}>
          {t('console.deposits.sendBack')}
        </Button>
      )}
    </Dialog>
  );
}
