import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps } from '@bourse/ui';
import { readTyping, type TypingFault } from '../core/ticket/typing.js';

/**
 * A field for a decimal of at most `scale` places. It refuses aloud what it cannot take (terminal rule 2) and keeps
 * what stood there before the key; the words go with the next change that is taken.
 */
export function NumberField({
  scale,
  onTyped,
  error,
  onBlur,
  ...field
}: Omit<FieldProps, 'numeric' | 'onChange'> & { scale: number; onTyped: (text: string) => void }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<TypingFault | undefined>();
  return (
    <Field
      {...field}
      numeric
      error={refused ? t(`typing.${refused}`, { scale }) : error}
      onChange={(event) => {
        const typed = readTyping(event.target.value, scale);
        setRefused('fault' in typed ? typed.fault : undefined);
        if ('text' in typed) onTyped(typed.text);
      }}
      onBlur={(event) => {
        setRefused(undefined);
        onBlur?.(event);
      }}
    />
  );
}
