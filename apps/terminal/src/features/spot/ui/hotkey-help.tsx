import { useTranslation } from 'react-i18next';
import { Checkbox, Dialog, Num } from '@bourse/ui';

const KEYS: readonly (readonly [keys: string, text: string])[] = [
  ['/ · Ctrl K', 'keys.search'],
  ['B · S', 'keys.side'],
  ['L · M', 'keys.mode'],
  ['1 – 5', 'keys.percent'],
  ['I, 0 – 8', 'keys.interval'],
  ['G, S W H', 'keys.go'],
  ['Alt B', 'keys.speak'],
  ['?', 'keys.help'],
];

/** The keys of the page, and the switch for the single ones. */
export function HotkeyHelp({
  onClose,
  on,
  onSwitch,
}: {
  onClose: () => void;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('keys.title')} closeLabel={t('common.close')}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {KEYS.map(([keys, text]) => (
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
