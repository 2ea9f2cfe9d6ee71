import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { Button } from '@bourse/ui';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { toastDone } from '@bourse/web';
import { useLegalBalance } from '../../../deals/ui/take-dialog.js';
import { apart, coinText } from '../../../deals/ui/words.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { NumberField } from '../../../parts/number-field.js';
import { moveMerchant } from '../api/shops.js';
import { moveProblems } from '../model/shops.js';

/** Moves coins between the fiat account and the merchant balance that pays a shop's ads. */
export function MoveDialog({ shop, direction, onClose }: { shop: Shop; direction: 'in' | 'out'; onClose: () => void }) {
  const { t } = useTranslation();
  const legal = useLegalBalance(shop.currency_id);
  const most = direction === 'in' ? legal : shop.merchant_balance;
  const [number, setNumber] = useState('');
  const [password, setPassword] = useState('');
  const problems = moveProblems({ number, password }, most);
  const move = { shop_id: shop.id, number: toDecimalText(number), direction };
  const form = useIntentForm(problems, move, async (fields, intent) => {
    toastDone(await moveMerchant({ ...fields, password }, intent));
    onClose();
  });
  const name = t(direction === 'in' ? 'shops.moveIn' : 'shops.moveOut');
  const max = most === undefined ? undefined : apart(coinText(most, shop.currency_name));
  return (
    <FormDialog
      title={name}
      description={t(direction === 'in' ? 'shops.moveInText' : 'shops.moveOutText', {
        name: `\u2068${shop.name}\u2069`,
      })}
      submission={form}
      action={name}
      onClose={onClose}
    >
      <NumberField
        label={t('deals.quantity')}
        name="number"
        scale={COIN_SCALE}
        value={number}
        onTyped={setNumber}
        hint={max && t('shops.atMost', { max })}
        error={form.shown(problems.number) && t(problems.number ?? '', { max })}
        suffix={
          <span className="flex items-center gap-2">
            {shop.currency_name}
            <Button size="small" kind="quiet" disabled={most === undefined} onClick={() => setNumber(most ?? '')}>
              {t('common.all')}
            </Button>
          </span>
        }
      />
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
