import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Badge, Button, Dialog, Num, PERSONAL_TEXT, type Tone } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Facts } from '../../../parts/detail.js';
import { created, numbers, owner, unsorted } from '../../../parts/list-columns.js';
import { ListPage } from '../../../parts/list-page.js';
import { PersonLink } from '../../../parts/person-link.js';
import { Picture } from '../../../parts/picture.js';
import { When } from '../../../parts/when.js';
import { needsDecision } from '../model/deal.js';

const PATH = '/api/admin/acceptor_deals';
type DealRow = RowOf<'GET /api/admin/acceptor_deals'>;
const TONES: Readonly<Record<0 | 1 | 2, Tone>> = { 0: 'warn', 1: 'up', 2: 'plain' };
interface Deciding {
  readonly deal: DealRow;
  readonly outcome: 'confirm' | 'reject';
}

/** Deals with acceptors; those with an objection are decided here. */
export default function AcceptorDeals() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<DealRow | null>(null);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const close = (): void => {
    setDeciding(null);
    setShown(null);
  };
  return (
    <>
      <ListPage<typeof PATH>
        name="acceptor-deals"
        title={t('console.acceptors.deals')}
        path={PATH}
        filters={[
          {
            name: 'objected',
            label: t('console.acceptors.objected'),
            kind: 'choice',
            options: [{ value: '1', label: t('console.acceptors.onlyObjected') }],
          },
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => id },
          {
            id: 'kind',
            label: t('console.people.kind'),
            cell: ({ type }) => t(`console.acceptors.is.${type}`),
            csv: ({ type }) => type,
          },
          unsorted(owner(t)),
          {
            id: 'acceptor',
            label: t('console.users.acceptor'),
            cell: ({ acceptor_name: name, acceptor_user_id: id }) => (
              <span>
                <bdi>{name}</bdi> <PersonLink id={id} />
              </span>
            ),
            csv: ({ acceptor_user_id: id }) => String(id),
          },
          numbers('money', t('console.people.money'), ({ money }) => money),
          {
            id: 'state',
            label: t('console.people.state'),
            cell: ({ is_sure: sure, stage, objected }) => (
              <Badge tone={objected === 1 ? 'down' : TONES[sure]}>
                {t(
                  sure === 0 || objected === 1 ? `console.acceptors.stage.${stage}` : `console.acceptors.sure.${sure}`,
                )}
              </Badge>
            ),
            csv: ({ is_sure: sure, stage }) => `${sure} ${stage}`,
          },
          created(t),
        ]}
        rowKey={({ id }) => id}
        onOpen={setShown}
      />
      {shown && !deciding && (
        <Details deal={shown} onClose={close} onDecide={(outcome) => setDeciding({ deal: shown, outcome })} />
      )}
      {deciding && (
        <ActDialog
          open
          onClose={close}
          title={t(`console.acceptors.${deciding.outcome}`)}
          explain={t(`console.acceptors.${deciding.outcome}Explain`, { money: deciding.deal.money })}
          danger
          action={t(`console.acceptors.${deciding.outcome}`)}
          path={`${PATH}/decide`}
          body={{ id: deciding.deal.id, outcome: deciding.outcome }}
          invalidate={[PATH, '/api/admin/dashboard']}
        />
      )}
    </>
  );
}

function Details({
  deal,
  onClose,
  onDecide,
}: {
  deal: DealRow;
  onClose: () => void;
  onDecide: (outcome: 'confirm' | 'reject') => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.acceptors.deal')} <Num>{deal.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
      actions={
        needsDecision(deal) && (
          <>
            <Button kind="danger" onClick={() => onDecide('reject')}>
              {t('console.acceptors.reject')}
            </Button>
            <Button kind="primary" onClick={() => onDecide('confirm')}>
              {t('console.acceptors.confirm')}
            </Button>
          </>
        )
      }
    >
      <Facts
        rows={[
          [t('console.people.kind'), t(`console.acceptors.is.${deal.type}`)],
          [t('console.people.money'), <Num key="money">{deal.money}</Num>],
          [t('console.acceptors.receives'), <Num key="gets">{deal.receive_money}</Num>],
          [t('console.acceptors.way'), t(`console.acceptors.way.${deal.way}`)],
          [t('console.acceptors.account'), <Num key="account">{deal.deal_account}</Num>],
          [t('console.acceptors.otherAccount'), <Num key="other">{deal.hes_account}</Num>],
          [t('console.people.phone'), <Num key="phone">{deal.mobile}</Num>],
          [
            t('console.people.reason'),
            <span key="reason" {...PERSONAL_TEXT}>
              {deal.reason}
            </span>,
          ],
          [t('console.acceptors.auto'), <When key="auto" time={deal.auto_time} />],
          [t('console.people.time'), <When key="time" time={deal.create_time} />],
        ]}
      />
      <Picture src={deal.proof_pic} label={t('console.acceptors.proof')} />
      <Picture src={deal.objection_pic} label={t('console.acceptors.objection')} />
    </Dialog>
  );
}
