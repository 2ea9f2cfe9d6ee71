import { useTranslation } from 'react-i18next';

/** Buy or sell, in word and colour. */
export function SideCell({ type }: { type: number }) {
  const { t } = useTranslation();
  return <span className={type === 1 ? 'text-up' : 'text-down'}>{t(type === 1 ? 'ticket.buy' : 'ticket.sell')}</span>;
}
