import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Select } from '@bourse/ui';
import { LongField } from './long-field.js';
import { textsIn, withText } from './texts-model.js';

/** A text in several languages: one is edited at a time, and languages with a text are marked. */
export function TextsField({
  name,
  label,
  value,
  error,
  onChange,
}: {
  name: string;
  label: string;
  /** JSON by language. */
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const texts = textsIn(value);
  const [language, setLanguage] = useState<Language>('en');
  const written = LANGUAGES.filter((code) => texts[code] !== undefined);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" data-texts={name}>
      <legend className="text-table text-t2">{label}</legend>
      <Select<Language>
        label={t('texts.language')}
        value={language}
        options={LANGUAGES.map((code) => ({
          value: code,
          label: `${LOCALES[code].name}${texts[code] === undefined ? '' : ' ✓'}`,
        }))}
        onChange={setLanguage}
      />
      <LongField
        name={`${name}.${language}`}
        label={t('texts.in', { label, language: LOCALES[language].name })}
        rows={4}
        dir={LOCALES[language].dir}
        value={texts[language] ?? ''}
        error={error}
        hint={t('texts.written', { languages: written.length === 0 ? '–' : written.join(' ') })}
        onChange={(text) => onChange(withText(value, language, text))}
      />
    </fieldset>
  );
}
