import { useTranslation } from 'react-i18next';
import { Checkbox, Dialog, Num } from '@bourse/ui';

/** Keys as they are shown, and the text that says what they do. */
export type HelpRow = readonly [keys: string, text: string];

/** Keys that send orders, and the switch that arms them. */
export interface OrderKeysHelp {
  readonly rows: readonly HelpRow[];
  readonly armed: boolean;
  readonly onArm: (on: boolean) => void;
}

/** The keys of the page, the switch for the single ones, and the one for those that send orders. */
export function HotkeyHelp({
  rows,
  onClose,
  on,
  onSwitch,
  orders,
}: {
  rows: readonly HelpRow[];
  onClose: () => void;
  on: boolean;
  onSwitch: (on: boolean) => void;
  /** Absent where no key sends an order, or nobody is signed in. */
  orders?: OrderKeysHelp | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('keys.title')} closeLabel={t('common.close')}>
      <KeyRows rows={rows} />
      <Checkbox label={t('keys.single')} checked={on} onChange={(event) => onSwitch(event.target.checked)} />
      {orders && (
        <>
          <KeyRows rows={orders.rows} />
          <Checkbox
            label={t('keys.arm')}
            checked={orders.armed}
            onChange={(event) => orders.onArm(event.target.checked)}
          />
          <p className="text-table text-t2">{t('keys.armNote')}</p>
        </>
      )}
    </Dialog>
  );
}

function KeyRows({ rows }: { rows: readonly HelpRow[] }) {
  const { t } = useTranslation();
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {rows.map(([keys, text]) => (
        <div key={text} className="contents">
          <dt>
            <kbd className="rounded-chip border border-line-strong px-2 font-sans text-table">
              <Num>{keys}</Num>
            </kbd>
          </dt>
          <dd className="text-t2">{t(text)}</dd>
        </div>
      ))}
    </dl>
  );
}
