import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';

/** What a person has to do before money may leave. */
export function WithdrawNeeds({ fundPassword, identity }: { fundPassword: boolean; identity: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <p className="text-t2">{t('wallet.needsFirst')}</p>
      <ul className="flex flex-wrap gap-3">
        {fundPassword && (
          <li>
            <Link
              to="/bindmpwd"
              className={
                'inline-flex h-10 items-center rounded-panel border ' +
                'border-line-strong px-4 text-button hover:bg-bg3'
              }
            >
              {t('wallet.needsFund')}
            </Link>
          </li>
        )}
        {identity && (
          <li>
            <Link
              to="/authentication"
              className={
                'inline-flex h-10 items-center rounded-panel border ' +
                'border-line-strong px-4 text-button hover:bg-bg3'
              }
            >
              {t('wallet.needsIdentity')}
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}
