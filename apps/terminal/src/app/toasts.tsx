import { useTranslation } from 'react-i18next';
import { ToastList } from '@bourse/ui';
import { useLocation, useNavigate } from 'react-router-dom';
import { closeToast, useToasts } from '@bourse/web';
import { hasScreen } from '../paths.js';

/** The one polite region for messages of the server and news of orders and money. It never takes the focus. */
export function Toasts() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const toasts = useToasts((state) => state.toasts).map((toast) =>
    toast.to === undefined || toast.to === `${pathname}${search}` || !hasScreen(toast.to)
      ? toast
      : {
          ...toast,
          actions: [
            ...(toast.actions ?? []),
            { label: t('common.view'), onClick: () => void navigate(toast.to ?? '/') },
          ],
        },
  );
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
