import { useTranslation } from 'react-i18next';
import type { QuotationGroup, QuotationItem } from '@bourse/contract';
import { Panel } from '@bourse/ui';
import { CandleView } from '../../../market/chart/candle-view.js';
import type { IntervalId } from '../../../market/chart/intervals.js';
import { marketBlock } from '../../../market/stream/market-block.js';
import { useFreshness } from '../../../market/stream/use-freshness.js';
import { usePairStream } from '../../../market/stream/use-pair-stream.js';
import { usePriceTitle } from '../../../market/stream/use-price-title.js';
import { useKept } from '../../../prefs/use-kept.js';
import { useMicroPushes, useRunning } from '../api/micro.js';
import { MarketHead } from './market-head.js';
import { OrdersPanel } from './orders-panel.js';
import { StakeTicket } from './stake-ticket.js';
import { useContractMarks } from './use-contract-marks.js';

interface Props {
  pair: QuotationItem;
  groups: readonly QuotationGroup[];
  onChoose: (item: QuotationItem) => void;
}

/** Seconds contracts of one market: its price, its chart, the ticket, and what runs. */
export function MicroMarket({ pair, groups, onChoose }: Props) {
  const { t } = useTranslation();
  const stream = usePairStream(pair);
  const { state, age, connected } = useFreshness(pair.symbol);
  const [interval, setInterval] = useKept<IntervalId>('micro.interval', '1min');
  const running = useRunning();
  const marks = useContractMarks(pair, running.rows);
  useMicroPushes();
  usePriceTitle(stream, pair, t('nav.micro'));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <MarketHead pair={pair} groups={groups} age={age} onChoose={onChoose} />
      <div
        className={
          'grid min-h-0 flex-1 gap-1 p-1 md:grid-cols-[minmax(0,1fr)_320px] ' +
          'lg:grid-rows-[minmax(0,1fr)_minmax(13rem,36%)] xl:grid-cols-[minmax(0,1fr)_360px]'
        }
      >
        <Panel className="flex h-[46dvh] min-h-72 flex-col overflow-hidden lg:h-auto lg:min-h-0">
          <CandleView pair={pair} interval={interval} onInterval={setInterval} marks={marks} age={age} />
        </Panel>
        <Panel className="min-h-0 lg:row-span-2 lg:overflow-auto" label={t('micro.ticket')}>
          <div id="ticket" tabIndex={-1} className="outline-none">
            <StakeTicket key={pair.symbol} pair={pair} blocked={marketBlock(pair.mode, connected, state)} />
          </div>
        </Panel>
        <Panel className="flex min-h-72 flex-col overflow-hidden max-lg:col-span-full lg:min-h-0">
          <OrdersPanel running={running} />
        </Panel>
      </div>
    </div>
  );
}
