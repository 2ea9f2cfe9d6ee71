import { useTranslation } from 'react-i18next';
import { LinkButton } from '../../../parts/link-button.js';

/** The steps that a person must complete before money may leave. */
export function WithdrawNeeds({ fundPassword, identity }: { fundPassword: boolean; identity: boolean }) {
  const { t } = useTranslation();
  const steps = [
    { missing: fundPassword, to: '/bindmpwd', text: t('wallet.needsFund') },
    { missing: identity, to: '/authentication', text: t('wallet.needsIdentity') },
  ].filter(({ missing }) => missing);
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p className="text-t2">{t('wallet.needsFirst')}</p>
      <ul className="flex flex-wrap gap-3">
        {steps.map(({ to, text }) => (
          <li key={to}>
            <LinkButton to={to}>{text}</LinkButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
