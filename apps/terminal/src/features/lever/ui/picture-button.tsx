import { useTranslation } from 'react-i18next';
import type { LeverPosition } from '@bourse/contract';
import { Button } from '@bourse/ui';
import { knownServerNow } from '../../../core/server-time.js';
import { cardOf } from '../model/position-card.js';
import { drawPosition } from './position-picture.js';
import { shareFile } from './share-file.js';
import { usePairs } from './use-pairs.js';

/** Saves or shares the return of a position as a picture, without amounts and account. */
export function PictureButton({ row }: { row: LeverPosition }) {
  const { t } = useTranslation();
  const pair = usePairs().get(row.symbol);
  // Without the pair the source of its prices is unknown, and a simulated price would pass for a real one (rules §17).
  if (!pair || !cardOf(row, pair, 0)) return null;
  const read = async (): Promise<Blob> => {
    const card = cardOf(row, pair, knownServerNow());
    if (!card) throw new Error('the position has no return');
    return drawPosition(card, t);
  };
  const save = (): Promise<void> =>
    shareFile(read, `${row.symbol.replace('/', '-')} ${row.id}.png`, t('common.loadFailed'));
  return (
    <Button size="small" onClick={() => void save()}>
      {t('chart.picture')}
    </Button>
  );
}
