import { LayoutPanelLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DeskColumn } from '@bourse/contract';
import { Menu, MenuItem, MenuSeparator } from '@bourse/ui';
import { COLUMN_ORDERS, PRESETS, type PresetName } from './panel-layout.js';
import type { Panels } from './use-panel-layout.js';

const COLUMN_NAMES: Readonly<Record<DeskColumn, string>> = {
  chart: 'chart.chart',
  book: 'book.title',
  ticket: 'layout.orderForm',
};

/** Presets, the order of the columns, and the place of the orders. */
export function LayoutMenu({ panels: { layout, arrange } }: { panels: Panels }) {
  const { t } = useTranslation();
  const chosen = String(layout.columns);
  return (
    <Menu label={t('layout.menu')} trigger={<LayoutPanelLeft size={16} aria-hidden />}>
      {(Object.keys(PRESETS) as PresetName[]).map((name) => (
        <MenuItem key={name} onSelect={() => arrange(PRESETS[name])}>
          {t(`layout.${name}`)}
        </MenuItem>
      ))}
      <MenuSeparator />
      {COLUMN_ORDERS.map((columns) => (
        <MenuItem key={String(columns)} checked={String(columns) === chosen} onSelect={() => arrange({ columns })}>
          {columns.map((column) => t(COLUMN_NAMES[column])).join(' · ')}
        </MenuItem>
      ))}
      <MenuSeparator />
      {[false, true].map((across) => (
        <MenuItem key={String(across)} checked={layout.across === across} onSelect={() => arrange({ across })}>
          {t(across ? 'layout.ordersAcross' : 'layout.ordersBelow')}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => arrange(PRESETS.standard)}>{t('layout.reset')}</MenuItem>
    </Menu>
  );
}
