import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';
import type { Side } from '../model/ticket.js';

/** On a phone: buy and sell within reach of the thumb. */
export function SideButtons({ onChoose }: { onChoose: (side: Side) => void }) {
  const { t } = useTranslation();
  return (['buy', 'sell'] as const).map((side) => (
    <Button key={side} kind={side} size="main" className="flex-1" onClick={() => onChoose(side)}>
      {t(`ticket.${side}`)}
    </Button>
  ));
}
