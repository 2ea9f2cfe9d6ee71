import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Dialog } from '@bourse/ui';
import { MarketList } from './market-list.js';

interface Props {
  groups: readonly QuotationGroup[] | undefined;
  chosen: string;
  onChoose: (item: QuotationItem) => void;
  onClose: () => void;
}

/** The list of markets as a dialog. */
export function PairDialog({ onClose, ...list }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('pair.choose')} closeLabel={t('common.close')}>
      <div className="flex h-[60dvh] flex-col">
        <MarketList autoFocus {...list} />
      </div>
    </Dialog>
  );
}
