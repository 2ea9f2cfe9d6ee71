import { CurrencyEntity } from './currency.entity.js';
import { PairEntity } from './pair.entity.js';

/** The tables of this service that are read and written as rows; trades, candles and the history are sets. */
export const MARKET_ENTITIES = [CurrencyEntity, PairEntity];
