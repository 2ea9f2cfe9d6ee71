import { useTranslation } from 'react-i18next';
import type { QuotationItem } from '@bourse/contract';
import { Badge } from '@bourse/ui';

/** Signs beside a pair's name, the same in all languages, like BTC. */
const SIGNS = { recorded: 'REC', simulated: 'SIM' } as const;

/** The source of a pair's prices; nothing at a pair with a live market (rules §17: never passed off as one). */
export function FeedChip({ feed }: { feed: QuotationItem['feed'] }) {
  const { t } = useTranslation();
  if (feed === 'live') return null;
  return (
    <Badge tone={feed === 'simulated' ? 'warn' : 'info'} title={t(`pair.feed.${feed}`)}>
      {SIGNS[feed]}
    </Badge>
  );
}
