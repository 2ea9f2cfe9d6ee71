import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { COIN_SCALE } from '@bourse/formulas';
import { atMost, Button, Field, formatBalance, Num, OneTimeCodeField, Select, shortAddress } from '@bourse/ui';
import { AddressText } from '../../../parts/address-text.js';
import { countdown } from '../../../parts/countdown.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { NumberField } from '../../../parts/number-field.js';
import type { WithdrawalForm } from './use-withdrawal.js';

/** The destination of a withdrawal: one of the saved addresses, or a typed one without any. */
export function Destination({ form, currency }: { form: WithdrawalForm; currency: number }) {
  const { t } = useTranslation();
  const { onlyBound, chosen } = form;
  return (
    <>
      {onlyBound ? (
        <BoundDestination form={form} />
      ) : (
        <Field
          label={t('wallet.address')}
          name="address"
          mono
          maxLength={200}
          value={form.fields.address}
          error={form.problem('address')}
          onChange={(event) => form.change({ address: event.target.value })}
        />
      )}
      <p className="text-table text-t2">
        {t(onlyBound ? 'wallet.onlyBound' : 'wallet.bindHint')}{' '}
        <Link className="underline hover:text-t1" to={`/withdraw_address?id=${currency}`}>
          {t('wallet.addressBook')}
        </Link>
      </p>
      {form.needsMemo && (
        <Field
          label={t('wallet.memo')}
          name="memo"
          mono
          maxLength={64}
          value={form.sent.memo}
          readOnly={onlyBound && (chosen?.memo ?? '') !== ''}
          error={form.problem('memo')}
          onChange={(event) => form.change({ memo: event.target.value })}
        />
      )}
    </>
  );
}

function BoundDestination({ form }: { form: WithdrawalForm }) {
  const { t } = useTranslation();
  const { bound, chosen, coolingOf, tried } = form;
  const cooling = chosen ? coolingOf(chosen) : 0;
  return (
    <div className="flex flex-col gap-1">
      {bound.length > 0 && (
        <Select
          label={t('wallet.boundAddresses')}
          value={String(chosen?.id ?? '')}
          onChange={form.chooseAddress}
          options={bound.map((address) => ({
            value: String(address.id),
            label: [
              shortAddress(address.address),
              ...(address.memo ? [address.memo] : []),
              ...(coolingOf(address) > 0 ? [t('wallet.coolingShort')] : []),
            ].join(' · '),
          }))}
        />
      )}
      {chosen && (
        <p className="text-table text-t2">
          <AddressText full>{chosen.address}</AddressText>
        </p>
      )}
      {cooling > 0 && <p className="text-table text-warn">{t('wallet.cooling', { left: countdown(cooling) })}</p>}
      {bound.length === 0 && (
        <p className={tried ? 'text-table text-down' : 'text-table text-t2'} role={tried ? 'alert' : undefined}>
          {t('wallet.noBoundHere')}
        </p>
      )}
    </div>
  );
}

/** How much leaves, and what shows that it is the owner who sends it. */
export function AmountAndPasswords({ form }: { form: WithdrawalForm }) {
  const { t } = useTranslation();
  const { coin, available, fields, change, problem } = form;
  return (
    <>
      <NumberField
        label={t('wallet.quantity')}
        name="number"
        scale={COIN_SCALE}
        value={fields.amount}
        error={problem('amount')}
        onTyped={(amount) => change({ amount })}
        hint={
          <>
            {t('wallet.available')}{' '}
            <Num>
              {formatBalance(available)} {coin}
            </Num>
          </>
        }
        suffix={
          <Button kind="quiet" size="small" onClick={() => change({ amount: atMost(available, COIN_SCALE) })}>
            {t('wallet.all')}
          </Button>
        }
      />
      <FundPasswordField
        value={fields.password}
        onChange={(password) => change({ password })}
        error={problem('password')}
      />
      {form.needsTotp && (
        <OneTimeCodeField
          label={t('wallet.totp')}
          name="totp_code"
          length={6}
          value={fields.totp}
          error={problem('totp')}
          onCode={(totp) => change({ totp })}
        />
      )}
    </>
  );
}
