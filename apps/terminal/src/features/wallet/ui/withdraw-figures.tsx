import { useTranslation } from 'react-i18next';
import { atMost, Button, Dialog, formatBalance, grouped, Num, Skeleton } from '@bourse/ui';
import { AddressText } from '../../../parts/address-text.js';
import { Figure } from '../../../parts/figure.js';
import type { WithdrawalForm } from './use-withdrawal.js';

/** The cost of a withdrawal, while it is typed. */
export function WithdrawFigures({ form: { coin, cost, network } }: { form: WithdrawalForm }) {
  const { t } = useTranslation();
  return (
    <dl className="flex flex-col gap-2">
      <Figure name={t('wallet.minimum')}>
        {network ? (
          <Num>
            {grouped(atMost(network.min_number, 8))} {coin}
          </Num>
        ) : (
          <Skeleton className="h-5 w-20" />
        )}
      </Figure>
      <Figure
        name={
          <>
            {t('wallet.fee')} {network && <Num>({atMost(network.rate, 4)} %)</Num>}
          </>
        }
      >
        <Num>
          {formatBalance(cost?.fee ?? '0')} {coin}
        </Num>
      </Figure>
      <Figure name={t('wallet.received')}>
        <Num className="text-title font-semibold">
          {formatBalance(cost?.received ?? '0')} {coin}
        </Num>
      </Figure>
    </dl>
  );
}

/** The question before money leaves, with everything in figures. */
export function WithdrawQuestion({ form }: { form: WithdrawalForm }) {
  const { t } = useTranslation();
  const { coin, cost, sent, busy } = form;
  if (!form.asking || !cost) return null;
  return (
    <Dialog
      open
      onClose={form.stopAsking}
      closeLabel={t('common.close')}
      title={t('wallet.withdrawConfirm')}
      actions={
        <>
          <Button disabled={busy} onClick={form.stopAsking}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" data-autofocus="" busy={busy} onClick={() => void form.send()}>
            {t('common.confirm')}
          </Button>
        </>
      }
    >
      <dl className="flex flex-col gap-2">
        <Figure name={t('wallet.network')}>
          <Num>{form.network?.type}</Num>
        </Figure>
        <Figure name={t('wallet.address')}>
          <AddressText full>{sent.address.trim()}</AddressText>
        </Figure>
        {form.needsMemo && (
          <Figure name={t('wallet.memo')}>
            <AddressText full>{sent.memo.trim()}</AddressText>
          </Figure>
        )}
        <Figure name={t('wallet.quantity')}>
          <Num>
            {formatBalance(cost.number)} {coin}
          </Num>
        </Figure>
        <Figure name={t('wallet.fee')}>
          <Num>
            {formatBalance(cost.fee)} {coin}
          </Num>
        </Figure>
        <Figure name={t('wallet.received')}>
          <Num className="font-semibold">
            {formatBalance(cost.received)} {coin}
          </Num>
        </Figure>
      </dl>
    </Dialog>
  );
}
