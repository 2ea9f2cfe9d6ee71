import { useTranslation } from 'react-i18next';
import { OneTimeCodeField } from '@bourse/ui';

/** How many digits an authenticator app shows. */
export const TOTP_DIGITS = 6;

/** The digits of the authenticator app. */
export function TotpField({
  name,
  value,
  onChange,
  error,
  autoFocus = false,
}: {
  name: string;
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
  autoFocus?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <OneTimeCodeField
      name={name}
      label={t('account.totp')}
      autoFocus={autoFocus}
      length={TOTP_DIGITS}
      value={value}
      error={error}
      onCode={onChange}
    />
  );
}
