import { useTranslation } from 'react-i18next';
import { Checkbox, Dialog, Num } from '@bourse/ui';

/** Keys as they are shown, and the text that says what they do. */
export type HelpRow = readonly [keys: string, text: string];

/** The keys of the page, and the switch for the single ones. */
export function HotkeyHelp({
  rows,
  onClose,
  on,
  onSwitch,
}: {
  rows: readonly HelpRow[];
  onClose: () => void;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('keys.title')} closeLabel={t('common.close')}>
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
      <Checkbox label={t('keys.single')} checked={on} onChange={(event) => onSwitch(event.target.checked)} />
    </Dialog>
  );
}
