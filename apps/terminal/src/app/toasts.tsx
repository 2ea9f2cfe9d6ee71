import { useTranslation } from 'react-i18next';
import { ToastList } from '@bourse/ui';
import { closeToast, useToasts } from '@bourse/web';

/** The one polite region for messages of the server and news of orders and money. It never takes the focus. */
export function Toasts() {
  const { t } = useTranslation();
  const toasts = useToasts((state) => state.toasts);
  return (
    <ToastList
      label={t('toast.region')}
      closeLabel={t('common.close')}
      toasts={toasts}
      onClose={closeToast}
      // Above on a phone: below they would cover the buttons under the thumb.
      className="max-md:top-16 md:bottom-10"
    />
  );
}
