import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PALETTES, type Palette, type ReferenceRate, type TimeZone } from '@bourse/contract';
import { trimZeros } from '@bourse/money';
import { cx, localTime, Num, RadioGroup, showTimesInUtc, Skeleton, Switch } from '@bourse/ui';
import { followPreferences } from '../../../core/account-preferences.js';
import { chimeKey } from '../../../core/notifications/chime.js';
import { useReference } from '../../../core/reference.js';
import { useSignedIn } from '../../../core/session.js';
import { useAppearance } from '../../../prefs/appearance.js';
import { TIME_ZONE } from '../../../prefs/time-zone.js';
import { useKept } from '../../../prefs/use-kept.js';
import { currencyName } from '../../../parts/currency-name.js';
import { PageTitle, Section } from './parts.js';
import { PushSettings } from './push-settings.js';

/** Rise and fall in the colours of each palette, independent of the chosen one. */
const SAMPLES: Readonly<Record<Palette, readonly [rise: string, fall: string]>> = {
  classic: ['text-(--green)', 'text-(--red)'],
  swapped: ['text-(--red)', 'text-(--green)'],
  colorblind: ['text-(--blue)', 'text-(--orange)'],
};

/** Appearance, sounds, keys and confirmations; they follow the account, and the browser keeps them after a sign-out. */
export default function Preferences() {
  const { t } = useTranslation();
  const { theme, palette, setTheme, setPalette } = useAppearance();
  const signedIn = useSignedIn();
  useEffect(followPreferences, []);
  // Above all sections, so that their times follow the choice.
  const [zone, keepZone] = useKept<TimeZone>(TIME_ZONE, 'local');
  const chooseZone = (chosen: TimeZone): void => {
    showTimesInUtc(chosen === 'utc');
    keepZone(chosen);
  };
  return (
    <div className={cx(!signedIn && 'mx-auto w-full max-w-[960px] p-4')}>
      <PageTitle lead={t('prefs.lead')}>{t('nav.preferences')}</PageTitle>
      <div className="flex flex-col gap-4">
        <Section title={t('prefs.looks')} className="grid gap-6 p-4 md:grid-cols-2">
          <RadioGroup
            label={t('prefs.theme')}
            value={theme}
            choices={[
              { value: 'dark', label: t('theme.dark') },
              { value: 'white', label: t('theme.white') },
            ]}
            onChange={setTheme}
          />
          <RadioGroup
            label={t('prefs.palette')}
            value={palette}
            choices={PALETTES.map((value) => ({
              value,
              label: <Sample of={value}>{t(`prefs.palettes.${value}`)}</Sample>,
              hint: t(`prefs.paletteHints.${value}`),
            }))}
            onChange={setPalette}
          />
        </Section>
        <Section title={t('prefs.currency')} lead={t('prefs.currencyNote')} className="p-4">
          <CurrencyChoice />
        </Section>
        <Section title={t('prefs.zone')} lead={t('prefs.zoneNote')} className="p-4">
          <ZoneChoice zone={zone} onChoose={chooseZone} />
        </Section>
        <Section title={t('prefs.questions')} lead={t('prefs.questionsNote')} className="flex flex-col gap-4 p-4">
          <AskSwitch name="ticket.skipConfirm" label={t('prefs.askLimit')} hint={t('prefs.askLimitNote')} />
          <AskSwitch name="lever.skipConfirm" label={t('prefs.askPosition')} />
          <AskSwitch name="lever.skipClose" label={t('prefs.askClose')} />
        </Section>
        <Section title={t('prefs.soundsAndKeys')} className="flex flex-col gap-4 p-4">
          <KeptSwitch name={chimeKey} label={t('prefs.sound')} hint={t('prefs.soundNote')} />
          <KeptSwitch name="keys.single" label={t('prefs.keys')} hint={t('prefs.keysNote')} />
        </Section>
        {signedIn && <PushSettings />}
      </div>
    </div>
  );
}

function CurrencyChoice() {
  const { t } = useTranslation();
  const { rate, rates, choose } = useReference();
  if (!rate || !rates) return <Skeleton className="h-40" />;
  const sourceOf = ({ at, source }: ReferenceRate): string => {
    if (at === null) return t('prefs.rateInstalled');
    return t(source === 'market' ? 'prefs.rateMarket' : 'prefs.rateStated', { time: `\u2066${localTime(at)}\u2069` });
  };
  return (
    <RadioGroup
      label={<span className="sr-only">{t('prefs.currency')}</span>}
      value={rate.code}
      choices={rates.map((one) => ({
        value: one.code,
        label: (
          <span>
            <Num>{one.code}</Num> {currencyName(one.code)}
          </span>
        ),
        hint: (
          <>
            <Num>{`1 USDT = ${trimZeros(one.per_usdt)} ${one.code}`}</Num> · {sourceOf(one)}
          </>
        ),
      }))}
      onChange={choose}
    />
  );
}

function ZoneChoice({ zone, onChoose }: { zone: TimeZone; onChoose: (zone: TimeZone) => void }) {
  const { t } = useTranslation();

  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <RadioGroup
      label={<span className="sr-only">{t('prefs.zone')}</span>}
      value={zone}
      choices={[
        { value: 'local', label: t('prefs.zoneLocal'), hint: <bdi dir="ltr">{device}</bdi> },
        { value: 'utc', label: 'UTC', hint: t('prefs.zoneUtcHint') },
      ]}
      onChange={onChoose}
    />
  );
}

function Sample({ of, children }: { of: Palette; children: ReactNode }) {
  const [rise, fall] = SAMPLES[of];
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="keeps-colours">
        <span className={cx('font-medium', rise)}>▲</span> <span className={cx('font-medium', fall)}>▼</span>
      </span>
      {children}
    </span>
  );
}

function KeptSwitch({ name, label, hint }: { name: string; label: string; hint: string }) {
  const [on, setOn] = useKept(name, true);
  return <Switch label={label} hint={hint} checked={on} onChange={setOn} />;
}

/** A switch for a question that its own dialog can switch off. */
function AskSwitch({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const [skipped, setSkipped] = useKept(name, false);
  return <Switch label={label} hint={hint} checked={!skipped} onChange={(ask) => setSkipped(!ask)} />;
}
