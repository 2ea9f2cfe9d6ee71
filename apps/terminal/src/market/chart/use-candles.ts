import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { Bar, Period } from '@bourse/contract';
import { Candles, decodePublic } from '@bourse/realtime';
import { mayPass, Retries } from '@bourse/web';
import { useMarketSource } from '../stream/market-source.js';
import { joinBars, SECONDS } from './intervals.js';
import { recordedUntil, simulatedUntil, type BarHistory } from './simulated.js';

/** A target that bars are drawn on. */
export interface BarSink {
  setHistory(history: BarHistory, fit?: boolean): void;
  /** The newest bar moved, or a new one began. */
  update(bars: readonly Bar[]): void;
}
export interface CandleSource {
  /** The bars held now; empty while another pair or period is read. */
  readonly history: () => BarHistory;
  /** Until when (ms) the oldest bars are simulated; undefined where none is. */
  readonly simulatedUntil: number | undefined;
  /** Until when (ms) volume is that of a recorded market; undefined where none is shown. */
  readonly recordedUntil: number | undefined;
  readonly state: 'loading' | 'ready' | 'failed';
  readonly retry: () => void;
}

/** Bars of a pair: the history by a call, what follows by the stream; both are given to the sink as they come. */
export function useCandles(
  symbol: string,
  { period, joins }: { readonly period: Period; readonly joins: number },
  sink: RefObject<BarSink | undefined>,
): CandleSource {
  const shown = ({ bars }: Candles): readonly Bar[] =>
    joins === 1 ? bars : joinBars(bars, SECONDS[period] * joins * 1_000);
  const source = useMarketSource();
  const show = useEffectEvent(shown);
  const candles = useRef<Candles | undefined>(undefined);
  const simulatedBefore = useRef<number | undefined>(undefined);
  const [until, setUntil] = useState<number | undefined>();
  const [recorded, setRecorded] = useState<number | undefined>();
  const [state, setState] = useState<CandleSource['state']>('loading');
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const own = new Candles(symbol, period);
    candles.current = own;
    simulatedBefore.current = undefined;
    setState('loading');
    setUntil(undefined);
    setRecorded(undefined);
    sink.current?.setHistory({ bars: [] });
    const abort = new AbortController();
    let reading = false;
    let first = true;
    let tried = false;
    const retries = new Retries(() => void read());
    const read = async (): Promise<void> => {
      if (reading) return;
      reading = true;
      try {
        const history = await source.readHistory(symbol, period, abort.signal);
        retries.succeeded();
        own.replace(history.bars);
        simulatedBefore.current = history.simulatedBefore;
        sink.current?.setHistory({ ...history, bars: show(own) }, first);
        first = false;
        setUntil(simulatedUntil(history));
        setRecorded(recordedUntil(history));
        setState('ready');
      } catch (error) {
        if (abort.signal.aborted) return;
        console.debug('history not read', error);
        setState((was) => (was === 'ready' ? was : 'failed'));
        if (mayPass(error)) retries.failed();
      } finally {
        reading = false;
        tried = true;
      }
    };
    const subscription = source.feed.subscribe(
      { channel: 'kline', symbol, interval: period },
      {
        event: (push) => {
          const change = own.apply(push);
          if (change.kind === 'update') sink.current?.update(show(own));
          if (change.kind === 'reload' && own.bars.length > 0) void read();
        },
        snapshot: (snapshot) => {
          const push = decodePublic('kline', snapshot);
          if (push && own.apply(push).kind === 'update') sink.current?.update(show(own));
        },
        // After a lost connection bars may be missing; all are when the first call had failed too.
        reset: () => {
          if (tried) void read();
        },
      },
    );
    void read();
    return () => {
      abort.abort();
      retries.stop();
      subscription.close();
    };
  }, [symbol, period, joins, turn, sink, source]);
  return {
    history: () => ({ bars: candles.current ? shown(candles.current) : [], simulatedBefore: simulatedBefore.current }),
    simulatedUntil: until,
    recordedUntil: recorded,
    state,
    retry: () => setTurn((was) => was + 1),
  };
}
