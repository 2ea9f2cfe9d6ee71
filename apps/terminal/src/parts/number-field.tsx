import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@bourse/i18n';
import { Field, useRefusal, type FieldProps } from '@bourse/ui';
import { current } from '../core/i18n.js';
import { plainTyping, readTyping } from '../core/ticket/typing.js';

/**
 * A field for a decimal of at most `scale` places. It keeps the typed text and checks it as a whole (terminal rule 2):
 * `onTyped` gets the number in plain digits, or an empty text while the text is refused. The field then shows the
 * reason, and the form around it cannot be sent.
 */
export function NumberField({
  scale,
  onTyped,
  error,
  onBlur,
  onKeyDown,
  value,
  ...field
}: Omit<FieldProps, 'numeric' | 'onChange' | 'value'> & {
  value: string;
  scale: number;
  onTyped: (text: string) => void;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<{ readonly text: string; readonly given: string }>();
  const decimalComma = hasDecimalComma();
  // A button or another field may set the value: the draft is then outdated.
  const text = draft?.given === value ? draft.text : value;
  const typed = readTyping(text, scale, decimalComma);
  const fault = draft?.given === value && 'fault' in typed ? typed.fault : undefined;
  useRefusal(fault !== undefined);
  const plain = plainTyping(text);
  return (
    <Field
      {...field}
      numeric
      value={text}
      error={
        fault ? t(`typing.${fault}`, { scale, whole: plain.replace(',', ''), point: plain.replace(',', '.') }) : error
      }
      onChange={(event) => {
        const next = readTyping(event.target.value, scale, decimalComma);
        const given = 'text' in next ? next.text : '';
        setDraft({ text: event.target.value, given });
        onTyped(given);
      }}
      onBlur={(event) => {
        // A number is then shown in its plain form; a refused text stays until it is corrected.
        if (!fault) setDraft(undefined);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        // A step from a text that is no number would replace it by another one.
        if (fault && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) event.preventDefault();
        else onKeyDown?.(event);
      }}
    />
  );
}

/** Whether readers of the page's language write a comma before decimals. */
const hasDecimalComma = (): boolean => new Intl.NumberFormat(LOCALES[current()].intlTag).format(1.5).includes(',');
