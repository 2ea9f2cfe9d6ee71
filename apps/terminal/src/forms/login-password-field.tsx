import { useTranslation } from 'react-i18next';
import { PasswordField } from './password-field.js';

/** The login password once more, where a dialog asks for it. */
export function LoginPasswordField({
  name = 'password',
  value,
  onChange,
  error,
}: {
  name?: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <PasswordField
      name={name}
      label={t('security.loginPassword')}
      value={value}
      autoComplete="current-password"
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
