import { useTranslation } from 'react-i18next';
import { ToastList } from '@bourse/ui';
import { closeToast, useToasts } from '@bourse/web';

/** The one polite live region for the server's messages about acts. It never takes the focus. */
export function Toasts() {
  const { t } = useTranslation();
  const toasts = useToasts((state) => state.toasts);
  return (
    <ToastList
      label={t('toast.region')}
      closeLabel={t('common.close')}
      toasts={toasts}
      onClose={closeToast}
      className="bottom-4"
    />
  );
}
