import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps } from '@bourse/ui';
import { atMostCharacters } from './password-length.js';

/** A password with a button that shows it. Inputs take at most 16 characters (rules §16). */
export function PasswordField({ maxLength = 16, onChange, ...props }: FieldProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      onChange={(event) => {
        // Cut by characters of the normalized form: an attribute of the input would count each accent.
        const kept = atMostCharacters(event.target.value, maxLength);
        if (kept !== event.target.value) event.target.value = kept;
        onChange?.(event);
      }}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          aria-label={t(shown ? 'account.hidePassword' : 'account.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="grid size-7 place-items-center rounded-chip text-t2 hover:text-t1"
        >
          {shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </button>
      }
    />
  );
}
