import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shop } from '@bourse/contract';
import { Field, RadioGroup, Select } from '@bourse/ui';
import { toastDone } from '@bourse/web';
import { useLegalCoins } from '../../../deals/api/ads.js';
import { apart, coinText } from '../../../deals/ui/words.js';
import { FormDialog } from '../../../forms/form-dialog.js';
import { useIntentForm } from '../../../forms/use-form.js';
import { FundPasswordField } from '../../../parts/fund-password-field.js';
import { applyForShop, useShopTerms } from '../api/shops.js';
import { applyProblems, freeCoins, LEVELS, NAME_MAX } from '../model/shops.js';

/** Applies for a shop: its deposit is held from the fiat account, and people of the exchange decide. */
export function ApplyDialog({ shops, onClose }: { shops: readonly Shop[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { coins = [] } = useLegalCoins();
  const terms = useShopTerms();
  // Shops are read again while one types: the choice must not move under the hand.
  const [had] = useState(shops);
  const free = freeCoins(coins, had);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<number>();
  const [level, setLevel] = useState<Shop['level']>('verified');
  const [password, setPassword] = useState('');
  const coin = free.find(({ id }) => id === chosen) ?? free.find((one) => one.name === 'USDT') ?? free[0];
  const problems = { ...applyProblems({ name, password }), ...(!coin && { coin: 'shops.noCoin' }) };
  const form = useIntentForm(problems, { name, currency_id: coin?.id ?? 0, level }, async (fields, intent) => {
    toastDone(await applyForShop({ ...fields, password }, intent));
    onClose();
  });
  const hint = (value: Shop['level']): { hint?: string } => {
    const asked = terms?.levels.find((one) => one.level === value);
    if (!terms || !asked) return {};
    const amount = (text: string): string => apart(coinText(text, terms.coin));
    return { hint: t('shops.levelHint', { deposit: amount(asked.deposit), most: amount(asked.limit) }) };
  };
  return (
    <FormDialog
      title={t('shops.open')}
      description={t('shops.applyLead')}
      submission={form}
      action={t('shops.apply')}
      onClose={onClose}
    >
      <Field
        label={t('shops.name')}
        name="shop_name"
        maxLength={NAME_MAX}
        value={name}
        hint={t('shops.nameRule')}
        error={form.shown(problems.name)}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={t('common.coin')}
        value={String(coin?.id ?? '')}
        onChange={(id) => setChosen(Number(id))}
        options={free.map(({ id, name: text }) => ({ value: String(id), label: text }))}
      />
      <RadioGroup<Shop['level']>
        label={t('shops.level')}
        value={level}
        choices={LEVELS.map((value) => ({ value, label: t(`deals.level.${value}`), ...hint(value) }))}
        onChange={setLevel}
      />
      <FundPasswordField value={password} onChange={setPassword} error={form.shown(problems.password)} />
    </FormDialog>
  );
}
