import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps } from '@bourse/ui';

/** A password with a button that shows it. Inputs take at most 16 characters (rules §16). */
export function PasswordField(props: FieldProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Field
      maxLength={16}
      {...props}
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
