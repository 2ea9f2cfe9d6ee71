import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Field } from '@bourse/ui';

/** The fund password: six letters or digits, never filled in by the browser. */
export function FundPasswordField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Field
      type="password"
      name="fund_password"
      label={t('nav.fundPassword')}
      value={value}
      maxLength={6}
      autoComplete="off"
      error={error}
      onChange={(event) => onChange(event.target.value)}
      suffix={
        <Link to="/bindmpwd" className="underline hover:text-t1">
          {t('fund.reset')}
        </Link>
      }
    />
  );
}
