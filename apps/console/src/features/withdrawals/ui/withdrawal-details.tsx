import { useTranslation } from 'react-i18next';
import { Dialog, NO_NUMBER, Num, PERSONAL_TEXT } from '@bourse/ui';
import { Facts } from '../../../parts/detail.js';
import { Money } from '../../../parts/money.js';
import { PersonLink, PersonLinks } from '../../../parts/person-link.js';
import { When } from '../../../parts/when.js';
import type { WithdrawalRow } from '../model/withdrawal.js';
import { Acts, Approvals, Hints, State, useApprovals, type Decision } from './withdrawal-parts.js';

/** Everything about one withdrawal, in a drawer. */
export function WithdrawalDetails({
  row,
  onClose,
  onDecide,
}: {
  row: WithdrawalRow;
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}) {
  const { t } = useTranslation();
  const given = useApprovals(row);
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          {t('console.withdrawals.one')} <Num>{row.id}</Num>
        </>
      }
      closeLabel={t('common.close')}
      shape="drawer"
      actions={row.state === 'review' && <Acts row={row} onDecide={onDecide} />}
    >
      <Facts
        rows={[
          [t('console.people.state'), <State key="state" row={row} />],
          [t('console.people.person'), <PersonLink key="person" id={row.user_id} />],
          [t('console.people.amount'), <Money key="number" amount={row.number} currency={row.currency_name} />],
          [t('console.withdrawals.value'), <Money key="value" amount={row.value} />],
          [t('console.withdrawals.network'), row.network_name],
          [
            t('console.withdrawals.address'),
            <Num key="address" className="break-all">
              {row.address}
            </Num>,
          ],
          [t('console.withdrawals.memo'), row.memo === '' ? NO_NUMBER : <Num key="memo">{row.memo}</Num>],
          [t('console.withdrawals.approvals'), <Approvals key="approvals" row={row} />],
          ...given.map(
            ({ operator, time, reason }) =>
              [
                t('console.withdrawals.approvedBy', { operator }),
                <span key={operator} className="flex flex-col" {...PERSONAL_TEXT}>
                  {reason} <When time={time} />
                </span>,
              ] as const,
          ),
        ]}
      />
      {row.state === 'review' && <Risk row={row} />}
      <Rest row={row} />
    </Dialog>
  );
}

/** Facts that decide nothing: fee, transaction and times. */
function Rest({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Facts
        rows={[
          [t('console.withdrawals.fee'), <Money key="fee" amount={row.fee} currency={row.currency_name} />],
          [
            t('console.withdrawals.received'),
            <Money key="received" amount={row.received} currency={row.currency_name} />,
          ],
          [
            t('console.withdrawals.tx'),
            row.tx_id === '' ? (
              NO_NUMBER
            ) : (
              <Num key="tx" className="break-all">
                {row.tx_id}
              </Num>
            ),
          ],
          [t('console.withdrawals.confirmations'), <Num key="confirmations">{row.confirmations}</Num>],
          [
            t('console.people.reason'),
            <span key="reason" {...PERSONAL_TEXT}>
              {row.reason === '' ? NO_NUMBER : row.reason}
            </span>,
          ],
          [t('console.people.time'), <When key="time" time={row.create_time} />],
          [t('console.withdrawals.changed'), <When key="changed" time={row.update_time} />],
        ]}
      />
    </div>
  );
}

/** The facts behind the hints; each is computed by the service that owns it. */
function Risk({ row }: { row: WithdrawalRow }) {
  const { t } = useTranslation();
  const { risk } = row;
  const people = (ids: readonly number[]) => (ids.length === 0 ? NO_NUMBER : <PersonLinks ids={ids} />);
  return (
    <section aria-label={t('console.withdrawals.risk')} className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="text-title font-semibold">{t('console.withdrawals.risk')}</h3>
      <Hints row={row} />
      {risk && (
        <Facts
          rows={[
            [t('console.withdrawals.earlier'), <Num key="earlier">{risk.earlier_withdrawals}</Num>],
            [t('console.withdrawals.earlierTo'), <Num key="to">{risk.earlier_to_address}</Num>],
            [t('console.withdrawals.sharedAddress'), people(risk.address_shared_with)],
            [t('console.withdrawals.boundAt'), <When key="bound" time={risk.address_bound_at} />],
            [t('console.withdrawals.lastDeposit'), <When key="deposit" time={risk.last_deposit_at} />],
            [
              t('console.withdrawals.deposited24'),
              <Money key="deposited" amount={risk.deposited_24h} currency={row.currency_name} />,
            ],
            [t('console.users.registered'), <When key="registered" time={risk.registered_at} />],
            [t('console.withdrawals.newDevice'), <When key="device" time={risk.new_device_at} />],
            [t('console.withdrawals.contactChanged'), <When key="contact" time={risk.contact_changed_at} />],
            [t('console.withdrawals.sharedIdentity'), people(risk.identity_shared_with)],
          ]}
        />
      )}
    </section>
  );
}
