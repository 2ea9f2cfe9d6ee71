import { useTranslation } from 'react-i18next';
import { PasswordField } from './password-field.js';

/** A password that is to be set, twice. */
export function NewPasswordFields({
  label,
  hint,
  repeatName,
  fund = false,
  password,
  repeat,
  onPassword,
  onRepeat,
  errors,
}: {
  label: string;
  hint?: string;
  repeatName: string;
  /** The fund password: six characters, and no browser keeps it. */
  fund?: boolean;
  password: string;
  repeat: string;
  onPassword: (value: string) => void;
  onRepeat: (value: string) => void;
  errors: { readonly password: string | undefined; readonly repeat: string | undefined };
}) {
  const { t } = useTranslation();
  const kind = fund ? { maxLength: 6, autoComplete: 'off' } : { autoComplete: 'new-password' };
  return (
    <>
      <PasswordField
        name="password"
        label={label}
        // The error repeats the hint.
        hint={errors.password === undefined ? hint : undefined}
        {...kind}
        value={password}
        error={errors.password}
        onChange={(event) => onPassword(event.target.value)}
      />
      <PasswordField
        name={repeatName}
        label={t('account.repeat')}
        {...kind}
        value={repeat}
        error={errors.repeat}
        onChange={(event) => onRepeat(event.target.value)}
      />
    </>
  );
}
