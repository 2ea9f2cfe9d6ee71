import { useTranslation } from 'react-i18next';
import { Menu, MenuItem, Num } from '@bourse/ui';
import { useReference } from '../core/reference.js';
import { currencyName } from './currency-name.js';

/** The choice of the currency of approximate values, beside such a value. */
export function CurrencyMenu() {
  const { t } = useTranslation();
  const { rate, rates, choose } = useReference();
  if (!rate || !rates) return null;
  return (
    <Menu
      align="start"
      label={`${t('prefs.currency')}: ${rate.code}`}
      trigger={
        <Num className="text-table text-t2 underline decoration-line-strong underline-offset-2">{rate.code}</Num>
      }
    >
      {rates.map(({ code }) => (
        <MenuItem key={code} checked={code === rate.code} onSelect={() => choose(code)}>
          <Num>{code}</Num> <span className="text-t2">{currencyName(code)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
