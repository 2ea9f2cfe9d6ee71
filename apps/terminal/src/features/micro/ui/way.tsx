import { useTranslation } from 'react-i18next';

/** Up or down: word, arrow and colour. */
export function Way({ type }: { type: 1 | 2 }) {
  const { t } = useTranslation();
  return (
    <span className={type === 1 ? 'text-up' : 'text-down'}>
      {t(type === 1 ? 'micro.up' : 'micro.down')} {type === 1 ? '▲' : '▼'}
    </span>
  );
}
