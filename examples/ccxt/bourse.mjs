// Bourse for ccxt: the class that bots load. Its functions and use: docs/ccxt.md.
import { createHash, createHmac } from 'node:crypto';
import ccxt from 'ccxt';
import { Bourse as Client, GATE_KEYS, SubscriptionRefused } from '@bourse/sdk';

const { Precise } = ccxt;

/** How long the outcome of an order or cancel is queried: the exchange settles every command within 15 s. Ms. */
const OUTCOME_MS = 30_000;
const PAUSE_MS = { first: 250, most: 2_000 };
/** How long an order waits for the stream of its updates if that is just being opened. Ms. */
const OPEN_MS = 5_000;
/** The exchange returns its time in whole seconds: only a larger difference of the clock is corrected. Ms. */
const CLOCK_OFF_MS = 2_000;
/** Temporary refusals: this try had no effect, but an earlier try whose answer was lost may have had one. */
const BUSY = ['common.unavailable', 'common.tooMany'];
/** Refusals that ccxt counts among those of the network, and that are final. */
const SETTLED = ['common.expired'];
/** Refusals of a cancel that leave no order open. */
const ENDED = ['common.notFound', 'trade.notOpen'];
const SIGNATURE = 'apikey.signature';
/** Refusals before the exchange reads a call; they say nothing about an earlier attempt. */
const UNREAD = [...GATE_KEYS, 'market.paused'];
/** Reasons of that refusal for which another signature of the same key would be taken. */
const NONCE_REASONS = ['time', 'replay'];
/** Most entries of a page, and most levels of a side, that a call answers. */
const PAGE = 100;
const PAGES = 1_000;
/** How often a list that changes while it is read is read again. */
const TURNS = 3;
const LEVELS = { least: 8, most: 100 };
const CANDLES = 1_500;
/** The most unread messages kept per stream; the oldest are dropped first. */
const KEPT = 1_000;
/** The most lists for which the driver remembers the end of the last page. */
const CUTS = 100;
/** ccxt's names of accounts, and ours. */
const ACCOUNTS = {
  spot: 'change',
  funding: 'legal',
  margin: 'lever',
  change: 'change',
  legal: 'legal',
  lever: 'lever',
};
/** Calls a second by class (api §1.7): of a person, of an address and path, and of an address in all. */
const RATES = { order: 20, cancel: 40, read: 50, public: 20, address: 100 };
const ORDER_PAUSE_MS = 1_000 / RATES.order;
const accountOf = (type = 'spot') => ACCOUNTS[type];
const DAY_S = 86_400;
/** Weeks begin on Monday, and the time of computers on a Thursday. Seconds. */
const FIRST_MONDAY_S = 4 * DAY_S;

export class bourse extends ccxt.Exchange {
  describe() {
    return this.deepExtend(super.describe(), {
      id: 'bourse',
      name: 'Bourse',
      countries: [],
      version: 'v1',
      // Milliseconds between two orders. Every class of calls has a queue of its own, slower or faster in proportion.
      rateLimit: ORDER_PAUSE_MS,
      pro: true,
      has: {
        CORS: undefined,
        spot: true,
        margin: false,
        swap: false,
        future: false,
        option: false,
        ws: true,
        cancelAllOrders: true,
        cancelAllOrdersWs: true,
        cancelOrder: true,
        cancelOrders: true,
        cancelOrderWs: true,
        // The exchange takes the quantity of a market order, and no sum to spend.
        createMarketBuyOrderWithCost: false,
        createLimitBuyOrder: true,
        createLimitSellOrder: true,
        createMarketBuyOrder: true,
        createMarketOrder: true,
        createMarketSellOrder: true,
        createOrder: true,
        createOrders: true,
        createOrderWs: true,
        // The price of a market order would be the sum to spend.
        createMarketOrderWithCost: false,
        createMarketOrderWs: false,
        createMarketSellOrderWithCost: false,
        createPostOnlyOrder: true,
        createStopLimitOrder: true,
        createStopLossOrder: true,
        createStopMarketOrder: true,
        createStopOrder: true,
        // A stop price is beyond the last price: of a buy above it, of a sell below.
        createTakeProfitOrder: false,
        createTriggerOrder: true,
        editOrder: true,
        editOrderWs: true,
        fetchBalance: true,
        fetchClosedOrders: true,
        fetchCurrencies: true,
        fetchCurrenciesWs: false,
        fetchDepositAddress: false,
        fetchDeposits: true,
        fetchL2OrderBook: true,
        fetchMarkets: true,
        fetchMyTrades: true,
        fetchOHLCV: true,
        fetchOpenOrders: true,
        fetchOrder: true,
        fetchOrderBook: true,
        fetchOrders: true,
        fetchOrderTrades: true,
        fetchStatus: true,
        fetchTicker: true,
        fetchTickers: true,
        fetchTime: true,
        fetchTrades: true,
        fetchTradingFee: 'emulated',
        fetchTradingFees: true,
        fetchWithdrawals: true,
        unWatchBalance: true,
        unWatchMyTrades: true,
        unWatchOHLCV: true,
        unWatchOrderBook: true,
        unWatchOrderBookForSymbols: true,
        unWatchOrders: true,
        unWatchTicker: true,
        unWatchTickers: true,
        unWatchTrades: true,
        unWatchTradesForSymbols: true,
        watchBalance: true,
        watchMyTrades: true,
        watchOHLCV: true,
        watchOrderBook: true,
        watchOrderBookForSymbols: true,
        watchOrders: true,
        watchTicker: true,
        watchTickers: true,
        watchTrades: true,
        watchTradesForSymbols: true,
        withdraw: false,
      },
      timeframes: {
        '1m': '1min',
        '5m': '5min',
        '15m': '15min',
        '30m': '30min',
        '1h': '60min',
        '1d': '1day',
        '1w': '1week',
        '1M': '1mon',
      },
      // Every installation has its own address, given as `urls: { api: { public: …, private: … } }` or `hostname`.
      hostname: '127.0.0.1:8080',
      urls: {
        api: { public: 'http://{hostname}', private: 'http://{hostname}' },
        www: 'http://{hostname}',
        doc: ['http://{hostname}/docs'],
      },
      api: {
        public: {
          get: ['config', 'currency/list', 'currency/new_timeshar', 'market/trades', 'quotation_new', 'status', 'time'],
          post: ['transaction/deal'],
        },
        private: {
          get: [
            'coin/fills',
            'coin/list',
            'coin/order',
            'command',
            'stream/since',
            'user/fee_level',
            'wallet/deposits',
            'wallet/list',
            'wallet/out_list',
          ],
          post: ['coin/batch', 'coin/cancel', 'coin/cancel_all', 'coin/trade'],
          put: ['coin/order', 'coin/trade'],
        },
      },
      requiredCredentials: { apiKey: true, secret: true },
      fees: { trading: { tierBased: false, percentage: true } },
      exceptions: {
        exact: {
          'apikey.signature': ccxt.AuthenticationError,
          'auth.expired': ccxt.AuthenticationError,
          'auth.frozen': ccxt.AccountSuspended,
          'balance.insufficient': ccxt.InsufficientFunds,
          'common.badRequest': ccxt.BadRequest,
          'common.expired': ccxt.ExchangeNotAvailable,
          'common.fieldInvalid': ccxt.BadRequest,
          'common.fieldRequired': ccxt.ArgumentsRequired,
          'common.forbidden': ccxt.PermissionDenied,
          'common.keyReused': ccxt.DuplicateOrderId,
          'common.noPermission': ccxt.PermissionDenied,
          'common.notFound': ccxt.OrderNotFound,
          'common.processing': ccxt.RequestTimeout,
          'common.repeated': ccxt.RequestTimeout,
          'common.tooMany': ccxt.RateLimitExceeded,
          'common.unavailable': ccxt.ExchangeNotAvailable,
          'cuy.pbNum': ccxt.InvalidOrder,
          'cuy.pbPrice': ccxt.InvalidOrder,
          'cuy.psNum': ccxt.InvalidOrder,
          'cuy.psPrice': ccxt.InvalidOrder,
          'fund.mustReset': ccxt.PermissionDenied,
          'fund.notSet': ccxt.PermissionDenied,
          'kyc.required': ccxt.PermissionDenied,
          'market.paused': ccxt.MarketClosed,
          'market.stale': ccxt.OperationRejected,
          noopen: ccxt.PermissionDenied,
          'pair.delisted': ccxt.BadSymbol,
          'pay.missing': ccxt.PermissionDenied,
          'quantity.rule': ccxt.InvalidOrder,
          'trade.activationPrice': ccxt.InvalidOrder,
          'trade.amountFilled': ccxt.InvalidOrder,
          'trade.bookEmpty': ccxt.InvalidOrder,
          'trade.changed': ccxt.InvalidOrder,
          'trade.exitSide': ccxt.InvalidOrder,
          'trade.flags': ccxt.InvalidOrder,
          'trade.linked': ccxt.InvalidOrder,
          'trade.notOpen': ccxt.OrderNotFound,
          'trade.numberScale': ccxt.InvalidOrder,
          'trade.ocoSide': ccxt.InvalidOrder,
          'trade.postOnly': ccxt.OrderImmediatelyFillable,
          'trade.priceScale': ccxt.InvalidOrder,
          'trade.stopPrice': ccxt.InvalidOrder,
          'trade.trail': ccxt.InvalidOrder,
          'trade.trailing': ccxt.InvalidOrder,
        },
      },
      options: { adjustForTimeDifference: false, timeDifference: 0, outcomeMs: OUTCOME_MS },
    });
  }

  // ── the market ──

  async fetchTime() {
    const { message } = await this.publicGetTime();
    return this.parseToInt(message);
  }

  /** How far this clock is ahead of the one by which the exchange judges signatures; both are real clocks. Ms. */
  async loadTimeDifference() {
    const sent = Date.now();
    await this.publicGetTime();
    const ahead = (sent + Date.now()) / 2 - (this.toldAt + 500);
    this.options.timeDifference = Math.abs(ahead) > CLOCK_OFF_MS ? Math.round(ahead) : 0;
    return this.options.timeDifference;
  }

  async fetchStatus() {
    const response = await this.publicGetStatus();
    const { modes = {} } = response.message;
    const open = Object.values(modes).some((mode) => mode === 'normal');
    return { status: open ? 'ok' : 'maintenance', updated: undefined, eta: undefined, url: undefined, info: response };
  }

  async fetchCurrencies() {
    const [{ message }, { message: config }] = await Promise.all([
      this.publicGetCurrencyList(),
      this.publicGetConfig(),
    ]);
    const coins = [...message.legal, ...message.list];
    // Deposits and withdrawals of all coins are open or closed together.
    const isOpen = config.is_open_CTbi === 1;
    return Object.fromEntries(
      coins.map((coin) => {
        const code = this.safeCurrencyCode(coin.name);
        return [
          code,
          this.safeCurrencyStructure({
            id: String(coin.id),
            code,
            name: coin.full_name,
            active: isOpen,
            deposit: isOpen,
            withdraw: isOpen,
            type: 'crypto',
            precision: this.parseNumber(this.parsePrecision(String(coin.scale))),
            networks: {},
            info: coin,
          }),
        ];
      }),
    );
  }

  async fetchMarkets() {
    if (this.options.adjustForTimeDifference) await this.loadTimeDifference();
    const { message } = await this.publicGetQuotationNew();
    return message.flatMap((group) => group.quotation).map((item) => this.parseMarket(item));
  }

  parseMarket(item) {
    const [base, quote] = [this.safeCurrencyCode(item.currency_name), this.safeCurrencyCode(item.legal_name)];
    const percent = (rate) => this.parseNumber(Precise.stringDiv(rate, '100'));
    const amount = this.parseNumber(this.parsePrecision(String(item.number_scale)));
    return this.safeMarketStructure({
      id: item.symbol,
      symbol: `${base}/${quote}`,
      base,
      quote,
      baseId: String(item.currency_id),
      quoteId: String(item.legal_id),
      type: 'spot',
      spot: true,
      margin: false,
      swap: false,
      future: false,
      option: false,
      contract: false,
      active: item.mode === 'normal' && item.open_coin_trade === 1,
      maker: percent(item.maker_fee),
      taker: percent(item.taker_fee),
      precision: { amount, price: this.parseNumber(this.parsePrecision(String(item.price_scale))) },
      limits: {
        amount: { min: amount, max: undefined },
        price: { min: undefined, max: undefined },
        cost: { min: this.parseNumber(item.min_total), max: undefined },
        leverage: { min: undefined, max: undefined },
      },
      info: item,
    });
  }

  /** With a key the rates of the own fee level, else those of the pairs. */
  async fetchTradingFees() {
    await this.loadMarkets();
    const level = !this.apiKey ? undefined : (await this.privateGetUserFeeLevel()).message;
    return Object.fromEntries(
      this.symbols.map((symbol) => {
        const { info } = this.market(symbol);
        const maker = this.rateOfLevel(info.maker_fee, level === undefined ? '100' : level.maker_percent);
        const taker = this.rateOfLevel(info.taker_fee, level === undefined ? '100' : level.taker_percent);
        return [symbol, { symbol, maker, taker, percentage: true, tierBased: true, info }];
      }),
    );
  }

  /** A part of a rate in percent, up to six decimals of a percent as the exchange rounds it. */
  rateOfLevel(rate, part) {
    const exact = Precise.stringDiv(Precise.stringMul(rate, part), '100');
    const cut = Precise.stringDiv(exact, '1', 6);
    const rounded = Precise.stringGt(exact, cut) ? Precise.stringAdd(cut, '0.000001') : cut;
    return this.parseNumber(Precise.stringDiv(rounded, '100'));
  }

  async fetchTickers(symbols = undefined) {
    await this.loadMarkets();
    const wanted = this.marketSymbols(symbols);
    const { message } = await this.publicGetQuotationNew();
    const tickers = message.flatMap((group) => group.quotation).map((item) => this.parseTicker(item));
    return this.filterByArrayTickers(tickers, 'symbol', wanted);
  }

  /** The quotation with the volumes of the best prices, and the price of 24 hours ago to the last digit. */
  async fetchTicker(symbol) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const [{ message: groups }, { message: book }] = await Promise.all([
      this.publicGetQuotationNew(),
      this.publicPostTransactionDeal({ ...this.pairOf(market), depth: LEVELS.least }),
    ]);
    const item = groups.flatMap((group) => group.quotation).find((one) => one.symbol === market.id);
    if (!item) throw new ccxt.BadSymbol(`${this.id} has no pair ${market.id} any more`);
    const [[bid], [ask]] = [book.in, book.out];
    const { yesterday, last_price: now_price, ts } = book;
    const best = { bid: bid?.price, bidVolume: bid?.number, ask: ask?.price, askVolume: ask?.number };
    return this.parseTicker({ ...item, yesterday, now_price, ts, ...best }, market);
  }

  /** A row of the quotations, or a `daymarket` message. */
  parseTicker(item, known = undefined) {
    const market = this.safeMarket(item.symbol, known);
    const last = this.omitZero(item.now_price);
    const open =
      last === undefined ? undefined : (this.omitZero(item.yesterday) ?? this.openOf(last, item.change, market));
    // The price 24 hours ago is the opening price of the day, even if the first trade since had another price.
    const prices = [this.omitZero(item.high), this.omitZero(item.low), open, last].filter(isGiven);
    const change = open === undefined ? undefined : Precise.stringSub(last, open);
    return this.safeTicker(
      {
        symbol: market.symbol,
        timestamp: item.ts,
        datetime: this.iso8601(item.ts),
        high: prices.reduce((a, b) => (Precise.stringGt(b, a) ? b : a), prices[0]),
        low: prices.reduce((a, b) => (Precise.stringLt(b, a) ? b : a), prices[0]),
        bid: item.bid,
        bidVolume: item.bidVolume,
        ask: item.ask,
        askVolume: item.askVolume,
        open,
        last,
        close: last,
        change,
        percentage: open === undefined ? undefined : Precise.stringMul(Precise.stringDiv(change, open), '100'),
        baseVolume: item.volume,
        quoteVolume: item.quote_volume,
        info: item,
      },
      market,
    );
  }

  /**
   * The price 24 hours ago, computed from the last price and the change in percent, rounded to the scale of the market.
   */
  openOf(last, percents, market) {
    if (percents === undefined) return undefined;
    const open = Precise.stringDiv(last, Precise.stringAdd('1', Precise.stringDiv(percents, '100')));
    const isKnown = this.markets !== undefined && market.symbol in this.markets;
    return isKnown ? this.priceToPrecision(market.symbol, open) : open;
  }

  async fetchOrderBook(symbol, limit = undefined) {
    spanOf(this, undefined, limit);
    await this.loadMarkets();
    const market = this.market(symbol);
    const depth = Math.min(Math.max(limit ?? 20, LEVELS.least), LEVELS.most);
    const { message } = await this.publicPostTransactionDeal({ ...this.pairOf(market), depth });
    const side = (levels) =>
      levels
        .slice(0, limit ?? undefined)
        .map(({ price, number }) => [this.parseNumber(price), this.parseNumber(number)]);
    return {
      symbol: market.symbol,
      // In the order of the exchange, best first: sorting texts as ccxt does would put 9 behind 10.
      bids: side(message.in),
      asks: side(message.out),
      timestamp: message.ts,
      datetime: this.iso8601(message.ts),
      nonce: message.seq,
    };
  }
  /** Each price is one level of the exchange's book. */
  fetchL2OrderBook(symbol, limit = undefined) {
    return this.fetchOrderBook(symbol, limit);
  }

  /** The first `limit` candles that open at `since` or later, else the newest until `until`. */
  async fetchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
    const { from: earliest, to: latest, limit: wanted } = spanOf(this, since, limit, params.until);
    const period = this.periodOf(timeframe);
    await this.loadMarkets();
    const market = this.market(symbol);
    const opens = opensOf(timeframe, this.parseTimeframe(timeframe));
    const count = Math.min(wanted ?? PAGE, CANDLES);
    const newest = opens.at(Math.min(latest ?? Infinity, this.milliseconds()) / 1_000);
    const first = earliest === undefined ? opens.after(newest, 1 - count) : opens.next(earliest / 1_000);
    const from = Math.max(first, 0);
    const to = Math.min(opens.after(first, count - 1), newest);
    if (from > to) return [];
    const { data } = await this.publicGetCurrencyNewTimeshar({ symbol: market.id, period, from, to });
    const candles = data.filter(({ time }) => time >= from * 1_000 && time <= to * 1_000);
    return candles.map((candle) => this.parseOHLCV(candle));
  }

  parseOHLCV({ time, open, high, low, close, volume }) {
    return [time, ...[open, high, low, close, volume].map((value) => this.parseNumber(value))];
  }

  async fetchTrades(symbol, since = undefined, limit = undefined, params = {}) {
    const span = spanOf(this, since, limit, params.until);
    await this.loadMarkets();
    const market = this.market(symbol);
    const read = async (fields) => {
      const { message } = await this.publicGetMarketTrades({ ...this.pairOf(market), limit: PAGE, ...fields });
      return message.list;
    };
    const rows = await this.inTime(`trades ${market.id}`, span, (bounds, enough) =>
      bounds.order === 'asc' ? tradesFrom(read, bounds, enough) : tradesBefore(read, bounds, enough),
    );
    return rows.map((row) => this.parseTrade(row, market));
  }

  /** A trade of the market (by a call or `match_trade`), or an own fill. */
  parseTrade(trade, market = undefined) {
    const timestamp = trade.ts;
    const own = trade.order_id !== undefined;
    return this.safeTrade(
      {
        id: trade.id,
        info: trade,
        order: trade.order_id,
        symbol: this.safeMarket(trade.symbol, market).symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        type: undefined,
        side: own ? sideOf(trade.type) : trade.direction,
        takerOrMaker: own ? trade.role : 'taker',
        price: trade.price,
        amount: trade.amount ?? trade.number,
        cost: trade.total,
        fee: own ? this.feeOf(trade) : undefined,
      },
      market,
    );
  }

  feeOf({ fee, fee_currency: currency }) {
    return { cost: this.parseNumber(fee), currency: this.safeCurrencyCode(currency) };
  }

  // ── one's own ──

  async fetchBalance(params = {}) {
    await this.loadMarkets();
    const response = await this.privateGetWalletList();
    const account = accountOf(params.type);
    const { balance } = response.message[`${account}_wallet`];
    const result = { info: response };
    for (const one of balance)
      result[this.safeCurrencyCode(one.currency_name)] = {
        free: one[`${account}_balance`],
        used: one[`lock_${account}_balance`],
      };
    return this.safeBalance(result);
  }

  async createOrder(symbol, type, side, amount, price = undefined, params = {}) {
    return this.placed('privatePostCoinTrade', { symbol, type, side, amount, price, params });
  }

  /** As `createOrder`, by a message of the socket. */
  async createOrderWs(symbol, type, side, amount, price = undefined, params = {}) {
    return this.placed('socketOrderPlace', { symbol, type, side, amount, price, params });
  }

  async placed(call, { symbol, type, side, amount, price, params }) {
    await this.loadMarkets();
    const { idempotencyKey } = params;
    const request = this.orderRequest(symbol, type, side, amount, price, params);
    const { order } = await this.once(call, { ...request, idempotencyKey });
    return this.parseOrder(order, this.market(symbol));
  }

  /**
   * Several orders in one call, each with its own outcome: a refused one, or one whose `clientOrderId` another order
   * has, has the status `rejected`.
   */
  async createOrders(orders, params = {}) {
    await this.loadMarkets();
    const { idempotencyKey } = params;
    const items = orders.map(({ symbol, type, side, amount, price, params: more }) => {
      const known = checkParams(`${this.id} createOrders()`, more, BATCHED);
      return { op: 'place', ...this.orderRequest(symbol, type, side, amount, price, known) };
    });
    const { message } = await this.once('privatePostCoinBatch', { items: JSON.stringify(items), idempotencyKey });
    return message.map((outcome, index) => {
      const market = this.market(orders[index].symbol);
      if (outcome.type === 'ok' && outcome.repeated !== 1) return this.parseOrder(outcome.order, market);
      const { symbol, type, side } = orders[index];
      const { client_order_id: clientOrderId } = items[index];
      return this.safeOrder({ symbol, type, side, clientOrderId, status: 'rejected', info: outcome }, market);
    });
  }

  /** Changes price and amount of an open order in place; the amount includes the filled part. */
  async editOrder(id, symbol, type, side, amount = undefined, price = undefined, params = {}) {
    return this.edited('privatePutCoinOrder', { id, symbol, type, amount, price, params });
  }

  /** As `editOrder`, by a message of the socket. */
  async editOrderWs(id, symbol, type, side, amount = undefined, price = undefined, params = {}) {
    return this.edited('socketOrderAmend', { id, symbol, type, amount, price, params });
  }

  async edited(call, { id, symbol, type, amount, price, params }) {
    await this.loadMarkets();
    const market = this.market(symbol);
    if (!isGiven(amount) && !isGiven(price))
      throw new ccxt.ArgumentsRequired(`${this.id} needs an amount or a price to change an order`);
    for (const value of [amount, price])
      if (isGiven(value) && !isPositive(value))
        throw new ccxt.InvalidOrder(`${this.id} takes no amount or price of ${value}`);
    if (isGiven(price) && type === 'market')
      throw new ccxt.InvalidOrder(`${this.id} has no price to change of a market order`);
    const { order } = await this.once(call, {
      ...this.named(id, params),
      amount: isGiven(amount) ? this.amountToPrecision(symbol, amount) : undefined,
      target_price: isGiven(price) ? this.priceToPrecision(symbol, price) : undefined,
      idempotencyKey: params.idempotencyKey,
    });
    return this.parseOrder(order, market);
  }

  /**
   * Cancels orders by their ids and by `params.clientOrderIds`; answers those that were still open.
   *
   * @throws the first refusal of an order that may still be open, once all have been tried
   */
  async cancelOrders(ids, symbol = undefined, params = {}) {
    await this.loadMarkets();
    const { clientOrderIds, idempotencyKey = this.uuid22() } = params;
    const { message } = await this.once('privatePostCoinCancel', {
      ids: isGiven(ids) && ids.length > 0 ? ids.join(',') : undefined,
      client_order_ids: clientOrderIds?.join(','),
      idempotencyKey,
    });
    const left = message.find(({ type, key }) => type !== 'ok' && !ENDED.includes(key));
    try {
      this.handleErrors(200, '', 'coin/cancel', 'POST', {}, this.json(left), left);
    } catch (error) {
      throw Object.assign(error, { idempotencyKey });
    }
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    return message.filter(({ type }) => type === 'ok').map(({ order }) => this.parseOrder(order, market));
  }

  /** As `cancelOrder`, by a message of the socket. */
  async cancelOrderWs(id, symbol = undefined, params = {}) {
    return this.cancelled('socketOrderCancel', { id, symbol, params });
  }

  /** As `cancelAllOrders`, by a message of the socket. */
  async cancelAllOrdersWs(symbol = undefined, params = {}) {
    return this.allCancelled('socketOrderCancelAll', symbol, params);
  }

  socketOrderPlace(request) {
    return this.bySocket('order.place', request);
  }
  socketOrderAmend(request) {
    return this.bySocket('order.amend', request);
  }
  socketOrderCancel(request) {
    return this.bySocket('order.cancel', request);
  }
  socketOrderCancelAll(request) {
    return this.bySocket('order.cancelAll', request);
  }

  /** Sends an order by the socket of the live calls, and answers or fails as the call of the same name does. */
  async bySocket(message, { idempotencyKey, ...fields }) {
    this.checkRequiredCredentials();
    let response;
    try {
      const stream = this.live();
      await stream.ready();
      response = await stream.order(message, fields, { intent: idempotencyKey });
    } catch (error) {
      if (error instanceof ccxt.BaseError) throw error;
      const Kind = this.endOf(error) ?? ccxt.RequestTimeout;
      throw new Kind(`${this.id} ${error.message}`);
    }
    const { status, answer } = response;
    this.handleErrors(status, '', message, 'SOCKET', {}, this.json(answer), answer);
    return answer;
  }

  /** The fields of an order; the markets are loaded. */
  orderRequest(symbol, type, side, amount, price, params) {
    const { postOnly, timeInForce, clientOrderId, stp, triggerPriceType } = params;
    const stops = STOPS.filter((name) => isGiven(params[name]));
    if (!['limit', 'market'].includes(type)) throw new ccxt.InvalidOrder(`${this.id} has no orders of type ${type}`);
    // Any other value would be taken for the other side.
    if (!['buy', 'sell'].includes(side)) throw new ccxt.InvalidOrder(`${this.id} has no orders of side ${side}`);
    if (type === 'limit' && !isGiven(price))
      throw new ccxt.ArgumentsRequired(`${this.id} needs the price of a limit order`);
    if (!isGiven(amount)) throw new ccxt.ArgumentsRequired(`${this.id} needs the amount of an order`);
    for (const value of type === 'limit' ? [amount, price] : [amount])
      if (!isPositive(value)) throw new ccxt.InvalidOrder(`${this.id} takes no amount or price of ${value}`);
    if (stops.length > 1) throw new ccxt.InvalidOrder(`${this.id} takes one of ${stops.join(', ')}`);
    if (isGiven(triggerPriceType) && stops.length === 0)
      throw new ccxt.InvalidOrder(`${this.id} takes triggerPriceType with one of ${STOPS.join(', ')}`);
    if (postOnly === false && timeInForce === 'PO')
      throw new ccxt.InvalidOrder(`${this.id} cannot place a PO order that is not post-only`);
    const trigger = params[stops[0]];
    const trailing = this.trailingOf(symbol, type, params, stops);
    return {
      ...this.pairOf(this.market(symbol)),
      type: typeOf(side),
      order_type: trailing ? 'trailing_stop' : stops.length === 0 ? type : `stop_${type}`,
      amount: this.amountToPrecision(symbol, amount),
      target_price: type === 'limit' ? this.priceToPrecision(symbol, price) : undefined,
      stop_price: stops.length === 0 ? undefined : this.priceToPrecision(symbol, trigger),
      // The mark is the index price: there is no other one.
      trigger_by: isGiven(triggerPriceType) && triggerPriceType !== 'last' ? 'mark' : undefined,
      time_in_force: timeInForce === 'PO' ? undefined : timeInForce,
      post_only: postOnly || timeInForce === 'PO' ? 1 : undefined,
      client_order_id: clientOrderId,
      stp,
      ...trailing,
    };
  }

  /** The fields of a trailing stop, which is a market order; undefined if the order is none. */
  trailingOf(symbol, type, params, stops) {
    const given = TRAILS.filter((name) => isGiven(params[name]));
    if (given.length === 0) return undefined;
    const { trailingPercent, trailingAmount, trailingTriggerPrice } = params;
    if (isGiven(trailingPercent) === isGiven(trailingAmount))
      throw new ccxt.InvalidOrder(`${this.id} takes one of trailingPercent and trailingAmount`);
    if (type !== 'market') throw new ccxt.InvalidOrder(`${this.id} has no trailing stops of type ${type}`);
    if (stops.length > 0) throw new ccxt.InvalidOrder(`${this.id} takes no ${stops[0]} with ${given[0]}`);
    const price = (value) => (isGiven(value) ? this.priceToPrecision(symbol, value) : undefined);
    return {
      trail_percent: isGiven(trailingPercent) ? ccxt.numberToString(trailingPercent) : undefined,
      trail_amount: price(trailingAmount),
      activation_price: price(trailingTriggerPrice),
    };
  }

  async cancelOrder(id, symbol = undefined, params = {}) {
    return this.cancelled('privatePutCoinTrade', { id, symbol, params });
  }

  async cancelled(call, { id, symbol, params }) {
    await this.loadMarkets();
    const { idempotencyKey } = params;
    const { order } = await this.once(call, { ...this.named(id, params), idempotencyKey });
    return this.parseOrder(order, isGiven(symbol) ? this.market(symbol) : undefined);
  }

  /** An order, by its id or by the name that its owner gave it. */
  named(id, { clientOrderId }) {
    if (isGiven(clientOrderId)) return { client_order_id: clientOrderId };
    if (!isGiven(id) || id === '') throw new ccxt.ArgumentsRequired(`${this.id} needs the id of an order`);
    return { id };
  }

  async cancelAllOrders(symbol = undefined, params = {}) {
    return this.allCancelled('privatePostCoinCancelAll', symbol, params);
  }

  async allCancelled(call, symbol, params) {
    await this.loadMarkets();
    const { side, idempotencyKey } = params;
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const response = await this.once(call, {
      ...(market && this.pairOf(market)),
      type: isGiven(side) ? typeOf(side) : undefined,
      idempotencyKey,
    });
    const known = { symbol: market?.symbol, side, status: 'canceled', info: response };
    return response.ids.map((id) => this.safeOrder({ ...known, id }, market));
  }

  async fetchOrder(id, symbol = undefined, params = {}) {
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const { message } = await this.privateGetCoinOrder(this.named(id, params));
    if (market && message.symbol !== market.id)
      throw new ccxt.OrderNotFound(`${this.id} has no order ${message.id} of ${symbol}`);
    return this.parseOrder(message, market);
  }

  fetchOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return this.listOrders(undefined, symbol, since, limit, params);
  }
  fetchOpenOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return this.listOrders(1, symbol, since, limit, params);
  }
  fetchClosedOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return this.listOrders(2, symbol, since, limit, params);
  }

  async listOrders(status, symbol, since, limit, params) {
    const span = spanOf(this, since, limit, params.until);
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const filter = { status, ...(market && { currency: market.baseId, legal_id: market.quoteId }) };
    // All open orders, unless a limit is given.
    if (status === 1) span.limit ??= Infinity;
    const rows = await this.inTime(`orders ${JSON.stringify(filter)}`, span, (bounds, enough) =>
      this.pages('privateGetCoinList', { ...filter, ...bounds }, (all) => all.size >= enough),
    );
    return rows.map((row) => this.parseOrder(row, market));
  }

  fetchMyTrades(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return this.listFills({}, symbol, since, limit, params);
  }
  async fetchOrderTrades(id, symbol = undefined, since = undefined, limit = undefined, params = {}) {
    if (!isGiven(id) || id === '') throw new ccxt.ArgumentsRequired(`${this.id} needs the id of an order`);
    return this.listFills({ order_id: id }, symbol, since, limit, params);
  }

  async listFills(of, symbol, since, limit, params) {
    const span = spanOf(this, since, limit, params.until);
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const filter = { ...(market && this.pairOf(market)), ...of };
    const rows = await this.inTime(`fills ${JSON.stringify(filter)}`, span, (bounds, enough) =>
      this.pages('privateGetCoinFills', { ...filter, ...bounds }, (all) => all.size >= enough),
    );
    return rows.map((row) => this.parseTrade(row, market));
  }

  fetchDeposits(code = undefined, since = undefined, limit = undefined, params = {}) {
    return this.movements('privateGetWalletDeposits', 'deposit', code, since, limit, params);
  }
  fetchWithdrawals(code = undefined, since = undefined, limit = undefined, params = {}) {
    return this.movements('privateGetWalletOutList', 'withdrawal', code, since, limit, params);
  }

  async movements(call, type, code, since, limit, params) {
    const span = spanOf(this, since, limit, params.until);
    await this.loadMarkets();
    const currency = isGiven(code) ? this.currency(code) : undefined;
    const filter = { currency: currency?.id };
    const rows = await this.inTime(
      `${type} ${currency?.id}`,
      span,
      async ({ from = 0, to = Infinity, order }, enough) => {
        // These lists have no bounds and come newest first: all of them are read, until they are older.
        const isRead = (all) => {
          const oldest = [...all.values()].at(-1);
          return order === 'asc' ? oldest?.ts < from : [...all.values()].filter(({ ts }) => ts <= to).length >= enough;
        };
        const all = (await this.pages(call, filter, isRead)).filter(({ ts }) => ts >= from && ts <= to);
        return order === 'asc' ? all.reverse() : all;
      },
    );
    return rows.map((row) => this.parseTransaction({ ...row, kind: type }, currency));
  }

  parseTransaction(row, currency = undefined) {
    const code = this.safeCurrencyCode(row.currency_name, currency);
    const ended = { credited: 'ok', returned: 'failed', done: 'ok', failed: 'failed', cancelled: 'canceled' };
    const isOut = row.kind === 'withdrawal';
    const [address, tag] = [row.address || undefined, row.memo || undefined];
    return {
      info: this.omit(row, 'kind'),
      id: row.id,
      txid: row.tx_id || undefined,
      type: row.kind,
      currency: code,
      network: undefined,
      amount: this.parseNumber(isOut ? row.number : row.amount),
      // Deposits are credited as they arrive.
      fee: { currency: code, cost: this.parseNumber(isOut ? row.fee : '0') },
      status: ended[row.state] ?? 'pending',
      address,
      addressTo: isOut ? address : undefined,
      addressFrom: undefined,
      tag,
      tagTo: isOut ? tag : undefined,
      tagFrom: undefined,
      timestamp: row.ts,
      datetime: this.iso8601(row.ts),
      updated: row.updated_ts,
      internal: undefined,
      comment: undefined,
    };
  }

  parseOrder(order, market = undefined) {
    const done = order.cancelled === 1 ? 'canceled' : 'closed';
    const trigger = this.omitZero(order.stop_price);
    const isMarket = order.order_type.endsWith('market') || order.order_type === 'trailing_stop';
    return this.safeOrder(
      {
        id: order.id,
        clientOrderId: order.client_order_id || undefined,
        info: order,
        symbol: this.safeMarket(order.symbol, market).symbol,
        timestamp: order.ts,
        datetime: this.iso8601(order.ts),
        lastUpdateTimestamp: order.updated_ts,
        type: isMarket ? 'market' : 'limit',
        side: sideOf(order.type),
        timeInForce: order.post_only === 1 ? 'PO' : order.time_in_force,
        postOnly: order.post_only === 1,
        price: isMarket ? undefined : order.target_price,
        triggerPrice: trigger,
        // Every stop of the exchange is one against its owner: a sell below the last price, a buy above it.
        stopLossPrice: trigger,
        amount: order.trade_amount,
        filled: order.filled_amount,
        average: this.omitZero(order.trade_price),
        status: order.status === 1 ? 'open' : done,
        fee: this.feeOf(order),
      },
      market,
    );
  }

  // ── live: each call returns what has arrived since the previous one ──

  async watchTicker(symbol) {
    const { market, box } = await this.watched('ticker', symbol, LAST, (stream, { id }, box) =>
      stream.ticker(id, (message) => box.put(message)),
    );
    const [ticker] = await box.take();
    return this.parseTicker(ticker, market);
  }
  unWatchTicker(symbol) {
    return this.unwatch('ticker', symbol);
  }

  async watchOrderBook(symbol, limit = undefined) {
    const { market, box } = await this.watched('book', symbol, LAST, (stream, { id }, box) => {
      const live = stream.book(id, (book) => box.put(book));
      return () => live.close();
    });
    return this.parseLiveBook(await nextBook(box), market.symbol, limit);
  }

  parseLiveBook({ bids, asks, ts, seq }, symbol, limit) {
    const side = (levels) =>
      levels.slice(0, limit ?? undefined).map(([price, number]) => [this.parseNumber(price), this.parseNumber(number)]);
    return {
      symbol,
      bids: side(bids),
      asks: side(asks),
      timestamp: ts,
      datetime: this.iso8601(ts),
      nonce: seq,
    };
  }
  unWatchOrderBook(symbol) {
    return this.unwatch('book', symbol);
  }

  async watchTrades(symbol, since = undefined, limit = undefined) {
    const { market, box } = await this.watched('trades', symbol, ALL, (stream, { id }, box) =>
      stream.trades(id, (message) => box.put(message)),
    );
    return this.messagesSince(
      (await box.take()).map((trade) => this.parseTrade(trade, market)),
      since,
      limit,
    );
  }
  /** Messages of a stream sorted by time; those of one time keep their order. */
  messagesSince(messages, since, limit) {
    const inTime = [...messages].sort((a, b) => a.timestamp - b.timestamp);
    return this.filterBySinceLimit(inTime, since, limit, 'timestamp', true);
  }
  unWatchTrades(symbol) {
    return this.unwatch('trades', symbol);
  }

  async watchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined) {
    const period = this.periodOf(timeframe);
    const { market, box } = await this.watched(`candles ${period}`, symbol, BY_TIME, (stream, { id }, box) =>
      stream.candles(id, period, (message) => box.put(message)),
    );
    return this.parseOHLCVs(await box.take(), market, timeframe, since, limit);
  }
  async unWatchOHLCV(symbol, timeframe = '1m') {
    return this.unwatch(`candles ${this.periodOf(timeframe)}`, symbol);
  }
  periodOf(timeframe) {
    const period = this.safeString(this.timeframes, timeframe);
    if (period === undefined) throw new ccxt.BadRequest(`${this.id} has no candles of ${timeframe}`);
    return period;
  }

  /** Those of these tickers that have changed, by symbol; all there are without symbols. */
  async watchTickers(symbols = undefined) {
    const { box } = await this.watchedAll('tickers', symbols, BY_SYMBOL, (stream, { id }, box) =>
      stream.ticker(id, (message) => box.put(message)),
    );
    const tickers = (await box.take()).map((message) => this.parseTicker(message));
    return this.indexBy(tickers, 'symbol');
  }
  unWatchTickers(symbols = undefined) {
    return this.unwatchAll('tickers', symbols);
  }

  async watchTradesForSymbols(symbols, since = undefined, limit = undefined) {
    const { box } = await this.watchedAll('trades of', symbols, ALL, (stream, { id }, box) =>
      stream.trades(id, (message) => box.put(message)),
    );
    return this.messagesSince(
      (await box.take()).map((trade) => this.parseTrade(trade)),
      since,
      limit,
    );
  }
  unWatchTradesForSymbols(symbols) {
    return this.unwatchAll('trades of', symbols);
  }

  /** Returns the book that changed first among those that this call has not returned yet. */
  async watchOrderBookForSymbols(symbols, limit = undefined) {
    const { box } = await this.watchedAll('books of', symbols, BY_SYMBOL, (stream, { id }, box) => {
      const live = stream.book(id, (book) => box.put(book));
      return () => live.close();
    });
    const book = await nextBook(box);
    return this.parseLiveBook(book, this.safeMarket(book.symbol).symbol, limit);
  }
  unWatchOrderBookForSymbols(symbols) {
    return this.unwatchAll('books of', symbols);
  }

  watchOrders(symbol = undefined, since = undefined, limit = undefined) {
    return this.own('orders', symbol, since, limit, ({ order }) => this.parseOrder(order));
  }
  unWatchOrders(symbol = undefined) {
    return this.unwatch('orders', symbol);
  }

  watchMyTrades(symbol = undefined, since = undefined, limit = undefined) {
    return this.own('fills', symbol, since, limit, ({ fill }) => fill && this.parseTrade(fill));
  }
  unWatchMyTrades(symbol = undefined) {
    return this.unwatch('fills', symbol);
  }

  async own(name, symbol, since, limit, parse) {
    // Started at once: an order placed during this call waits for it. A refusal goes to the mailboxes.
    this.ready().catch(() => undefined);
    const { box } = await this.watched(name, symbol, ALL, (stream, market, box) => {
      const ends = [
        stream.on('order_update', (message) => {
          const one = parse(message);
          if (one && (market === undefined || one.symbol === market.symbol)) box.put(one);
        }),
        // Missed messages are not sent again: watchers must be notified, or would take old orders for current ones.
        this.onMissed(stream, () => {
          box.clear();
          box.fail(new ccxt.NetworkError(`${this.id} has missed messages: read orders and trades again`));
        }),
      ];
      return () => ends.forEach((end) => end());
    });
    return this.messagesSince(await box.take(), since, limit);
  }

  /** All balances of an account, whenever one of them changes. */
  async watchBalance(params = {}) {
    this.ready().catch(() => undefined);
    const account = accountOf(params.type);
    const { box } = await this.watched(`balance ${account}`, undefined, BY_CURRENCY, (stream, _market, box) => {
      const ends = [
        stream.on('balance_update', (message) => {
          for (const line of message.balances) if (line.account === account) box.put({ ...line, info: message });
        }),
        // Missed messages may be of any currency: all balances are read again and delivered.
        this.onMissed(stream, () => {
          this.balances?.delete(account);
          box.clear();
          box.put(REREAD);
        }),
      ];
      return () => ends.forEach((end) => end());
    });
    // A read after the stream is open misses nothing; balances that arrive later are newer.
    await this.ready().catch((error) => {
      box.clear();
      throw error;
    });
    const read = this.readBalance(account);
    await read;
    const lines = await box.take();
    // After a gap, or with another waiting call, there is a newer state than the one from above.
    const kept = await this.readBalance(account);
    const result = { info: lines.at(-1).info ?? kept.info };
    for (const code of Object.keys(kept.total))
      result[code] = { free: this.numberToString(kept[code].free), used: this.numberToString(kept[code].used) };
    for (const { currency_name: name, balance, lock_balance: held } of lines)
      if (name !== undefined) result[this.safeCurrencyCode(name)] = { free: balance, used: held };
    const now = this.safeBalance(result);
    this.balances?.set(account, Promise.resolve(now));
    return now;
  }
  unWatchBalance(params = {}) {
    const account = accountOf(params.type);
    this.balances?.delete(account);
    return this.unwatch(`balance ${account}`, undefined);
  }

  /** Balances of an account as they are known; read when they are not. A read that fails is forgotten. */
  readBalance(account) {
    this.balances ??= new Map();
    let kept = this.balances.get(account);
    if (!kept) {
      kept = this.fetchBalance({ type: account });
      this.balances.set(account, kept);
      kept.catch(() => {
        if (this.balances?.get(account) === kept) this.balances.delete(account);
      });
    }
    return kept;
  }

  /** The mailbox of a stream, which opens when it is first asked for. */
  async watched(name, symbol, keyOf, open) {
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const box = this.mailbox(`${name} ${market?.id ?? ''}`, keyOf, (box) => open(this.live(), market, box));
    return { market, box };
  }

  /** One mailbox for the streams of several markets; the same markets have the same, in whatever order. */
  async watchedAll(name, symbols, keyOf, open) {
    await this.loadMarkets();
    const markets = this.marketsOf(symbols);
    const box = this.mailbox(placeOf(name, markets), keyOf, (box) => {
      const ends = markets.map((market) => open(this.live(), market, box));
      return () => ends.forEach((end) => end());
    });
    return { markets, box };
  }

  mailbox(place, keyOf, open) {
    this.mailboxes ??= new Map();
    let box = this.mailboxes.get(place);
    if (!box) {
      box = new Mailbox(keyOf);
      this.mailboxes.set(place, box);
      box.close = open(box);
    }
    return box;
  }

  /** Ends a stream: its messages are dropped, and waiting calls are rejected. */
  async unwatch(name, symbol) {
    await this.loadMarkets();
    this.endMailbox(`${name} ${isGiven(symbol) ? this.market(symbol).id : ''}`);
  }

  async unwatchAll(name, symbols) {
    await this.loadMarkets();
    this.endMailbox(placeOf(name, this.marketsOf(symbols)));
  }

  endMailbox(place, error = new ccxt.UnsubscribeError(`${this.id} ${place.trim()} is watched no more`)) {
    const box = this.mailboxes?.get(place);
    if (!box) return;
    this.mailboxes.delete(place);
    box.close();
    box.fail(error);
  }

  marketsOf(symbols) {
    return (symbols ?? this.symbols).map((symbol) => this.market(symbol));
  }

  live() {
    this.socket ??= new Client({
      url: this.address('public'),
      ...(this.apiKey && this.secret ? { key: this.apiKey, secret: this.secret } : {}),
    }).stream((error) => this.failWatchers(error));
    return this.socket;
  }

  /** Passes an error of the stream to the mailboxes that get no messages because of it. */
  failWatchers(error) {
    const all = [...(this.mailboxes ?? [])];
    if (error instanceof SubscriptionRefused) {
      const Kind = this.exceptions.exact[error.key] ?? ccxt.ExchangeError;
      // The next call subscribes again.
      for (const [place] of all)
        if (isKeptAt(place, error)) this.endMailbox(place, new Kind(`${this.id} ${error.message}`));
      return;
    }
    const Kind = this.endOf(error);
    if (Kind) for (const [, box] of all) box.fail(new Kind(`${this.id} ${error.message}`));
  }

  /** Lost connections come back; a key that was refused or revoked does not. */
  endOf({ message }) {
    return message.startsWith('the stream was closed:') ? ccxt.AuthenticationError : this.exceptions.exact[message];
  }

  /** Settles once the stream reports the user's own orders and balances: later events are received. */
  ready() {
    this.checkRequiredCredentials();
    if (this.opening) return this.opening;
    const opening = this.live()
      .ready()
      .then(
        () => {
          if (this.opening !== opening) return;
          this.isOpen = true;
          if (this.isBehind) for (const told of this.missed ?? []) told();
          this.isBehind = false;
        },
        (error) => {
          if (this.opening === opening) this.opening = undefined;
          const Kind = this.endOf(error) ?? ccxt.NetworkError;
          throw new Kind(`${this.id} ${error.message}`);
        },
      );
    this.opening = opening;
    return opening;
  }

  /** Called when own messages were missed that are not repeated. */
  onMissed(stream, told) {
    this.missed ??= new Set();
    this.missed.add(told);
    const end = stream.onHole(told);
    return () => {
      this.missed?.delete(told);
      end();
    };
  }

  /** Events while the stream opens would be lost: an order waits for it, or watchers are notified of the gap. */
  async heard() {
    if (this.opening === undefined || this.isOpen) return;
    let timer;
    const enough = new Promise((resolve) => (timer = setTimeout(resolve, OPEN_MS)));
    await Promise.race([this.opening.catch(() => undefined), enough]);
    clearTimeout(timer);
    if (!this.isOpen) this.isBehind = true;
  }

  /**
   * Closes the socket, as ccxt does: calls that wait for it fail with `ExchangeClosedByUser`, and the next call that
   * needs a socket opens a new one.
   */
  async close() {
    this.untilClose?.abort();
    this.untilClose = undefined;
    this.socket?.close();
    for (const box of this.mailboxes?.values() ?? []) box.fail(new ccxt.ExchangeClosedByUser(`${this.id} was closed`));
    this.socket = undefined;
    this.opening = undefined;
    this.isOpen = false;
    this.isBehind = false;
    this.missed = undefined;
    this.mailboxes = undefined;
    this.balances = undefined;
    return super.close();
  }

  // ── calls ──

  pairOf({ quoteId, baseId }) {
    return { legal_id: quoteId, currency_id: baseId };
  }

  address(api) {
    return this.implodeHostname(this.urls.api[api]).replace(/\/$/, '');
  }

  /**
   * A command that is carried out once: while its outcome is not known it is sent again under the same Idempotency-Key,
   * for `options.outcomeMs`. `idempotencyKey` in `params` names a key of one's own; errors carry it by that name. It
   * begins when the earlier commands have ended that are about the same order: it does not overtake one that waits in
   * another queue, or is sent again.
   */
  async once(call, params) {
    this.commands ??= new Set();
    const claim = claimOf(call, params);
    const before = [...this.commands].filter((one) => overlap(one.claim, claim)).map(({ ended }) => ended);
    const command = { claim };
    this.untilClose ??= new globalThis.AbortController();
    const { signal } = this.untilClose;
    const result = Promise.all(before).then(() => this.sendUntilFinal(call, params, signal));
    const leave = () => this.commands.delete(command);
    command.ended = result.then(leave, leave);
    this.commands.add(command);
    return result;
  }

  async sendUntilFinal(call, params, signal) {
    await this.heard();
    const request = { ...params, idempotencyKey: params.idempotencyKey ?? this.uuid22() };
    const until = this.milliseconds() + this.options.outcomeMs;
    let isOpen = false;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.most)) {
      try {
        if (!call.startsWith('socket')) return await this[call](request);
        return await this.beforeClose(signal, () => this[call](request));
      } catch (error) {
        error.idempotencyKey = request.idempotencyKey;
        const says = (key) => error.message.includes(`"${key}"`);
        const isUnread = UNREAD.some(says);
        const mayPass = error instanceof ccxt.NetworkError && !SETTLED.some(says);
        if (!mayPass && !(isOpen && isUnread)) throw error;
        const isBusy = BUSY.some(says) || isUnread;
        isOpen ||= !isBusy;
        // A rate limit or a wrong clock is for the bot to handle, unless an order may be under way.
        if (!isOpen && (error instanceof ccxt.RateLimitExceeded || isUnread)) throw error;
        if (mayPass && this.milliseconds() + pause <= until) {
          await this.sleep(pause);
          continue;
        }
        if (!isOpen || !isBusy) throw error;
        const unknown = new ccxt.RequestTimeout(`${this.id} does not know the outcome: ${error.message}`);
        unknown.idempotencyKey = request.idempotencyKey;
        throw unknown;
      }
    }
  }

  /** Runs work of the socket. It fails when that is closed meanwhile, or was before: it would open another. */
  beforeClose(signal, work) {
    return new Promise((resolve, reject) => {
      const end = () => reject(new ccxt.ExchangeClosedByUser(`${this.id} was closed before the answer to an order`));
      if (signal.aborted) return end();
      signal.addEventListener('abort', end, { once: true });
      work()
        .finally(() => signal.removeEventListener('abort', end))
        .then(resolve, reject);
    });
  }

  /**
   * Rows of a list, the oldest first: those from `from` on, `limit` of them at most, else the newest. `read` returns
   * them by bounds and order, at least `enough` if there are. A page that ends inside a millisecond is continued by the
   * next call from the millisecond after it on: bots that add 1 to the time of their last row lose none.
   */
  async inTime(list, { from, to, limit }, read) {
    if (from === undefined) {
      const count = limit ?? PAGE;
      return (await read({ to, order: 'desc' }, count)).slice(0, count).reverse();
    }
    this.cuts ??= new Map();
    const cut = this.cuts.get(list);
    const isContinued = cut?.next === from;
    const had = isContinued ? cut.ids : new Set();
    const bounds = { from: isContinued ? from - 1 : from, to, order: 'asc' };
    const all = await read(bounds, (limit ?? Infinity) + had.size);
    const rows = all.filter(({ id }) => !had.has(id)).slice(0, limit ?? Infinity);
    if (rows.length > 0 || isContinued) this.cuts.delete(list);
    if (rows.length === limit) {
      const { ts } = rows.at(-1);
      const ids = rows.filter((row) => row.ts === ts).map(({ id }) => id);
      if (isContinued && ts === bounds.from) ids.push(...had);
      this.cuts.set(list, { next: ts + 1, ids: new Set(ids) });
      if (this.cuts.size > CUTS) this.cuts.delete(this.cuts.keys().next().value);
    }
    return rows;
  }

  /**
   * Rows of a list in the order of the exchange, page by page, until they are enough. One that became shorter while it
   * was read is read again: a row may have moved to a page that was read already.
   */
  async pages(call, filter, isEnough) {
    for (let turn = 1; ; turn += 1) {
      const rows = new Map();
      let isMoved = false;
      let known = 0;
      for (let page = 1; page <= PAGES; page += 1) {
        const { message } = await this[call]({ ...filter, page, limit: PAGE });
        for (const row of message.data) rows.set(row.id, row);
        isMoved ||= message.total < known;
        known = message.total;
        if (message.has_more !== 1 || isEnough(rows)) break;
      }
      if (!isMoved || turn === TURNS) return [...rows.values()];
    }
  }

  nonce() {
    return this.milliseconds() - this.options.timeDifference;
  }

  /**
   * How often a call counts in each rate: its orders in the rate of orders, the call in the rate of all calls of this
   * address.
   */
  calculateRateLimiterCost(api, method, path, params) {
    return { [classOf(api, method, path)]: itemsOf(params), address: 1 };
  }

  async throttle(counts) {
    for (const [name, count] of Object.entries(counts)) await this.queueOf(name).throttle(count);
  }

  /** The queue of a class; public reads are counted by path. */
  queueOf(name) {
    this.queues ??= new Map();
    let queue = this.queues.get(name);
    if (queue === undefined) {
      const perSecond = RATES[name.split(' ')[0]] * (ORDER_PAUSE_MS / this.rateLimit);
      queue = new this.throttler.constructor({ ...this.tokenBucket, refillRate: perSecond / 1_000 });
      this.queues.set(name, queue);
    }
    return queue;
  }

  /** With `adjustForTimeDifference` a call whose signature had a wrong time is sent again with the right one. */
  async request(...call) {
    const { adjustForTimeDifference: mayAdjust, timeDifference: before } = this.options;
    try {
      return await super.request(...call);
    } catch (error) {
      if (!mayAdjust || !(error instanceof ccxt.InvalidNonce)) throw error;
      const now = await this.loadTimeDifference().catch(() => before);
      if (Math.abs(now - before) <= CLOCK_OFF_MS) throw error;
      return super.request(...call);
    }
  }

  sign(path, api = 'public', method = 'GET', params = {}, headers = undefined, body = undefined) {
    const { idempotencyKey, ...rest } = params;
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    const fields = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const isRead = method === 'GET';
    const target = `/api/${path}${isRead && fields ? `?${fields}` : ''}`;
    headers = { ...headers };
    if (!isRead) {
      body = fields;
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
    }
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    if (api === 'private') {
      this.checkRequiredCredentials();
      const timestamp = String(this.nonce());
      const digest = createHash('sha256')
        .update(body ?? '')
        .digest('hex');
      headers['X-Api-Key'] = this.apiKey;
      headers['X-Api-Timestamp'] = timestamp;
      headers['X-Api-Signature'] = createHmac('sha256', this.secret)
        .update([method, target, timestamp, digest].join('\n'))
        .digest('hex');
    }
    return { url: `${this.address(api)}${target}`, method, body, headers };
  }

  handleErrors(status, reason, url, method, headers, body, response) {
    if (headers?.Date) this.toldAt = Date.parse(headers.Date);
    if (response === undefined || typeof response !== 'object') return undefined;
    const feedback = `${this.id} ${body}`;
    // The order with this name was placed by another call, even if its terms are the same.
    if (response.repeated === 1) throw Object.assign(new ccxt.DuplicateOrderId(feedback), { orderId: response.id });
    const refused = response.type !== undefined && response.type !== 'ok';
    if (!refused) return undefined;
    if (response.key === SIGNATURE && NONCE_REASONS.includes(response.params?.reason))
      throw new ccxt.InvalidNonce(feedback);
    this.throwExactlyMatchedException(this.exceptions.exact, response.key, feedback);
    throw new (status >= 500 ? ccxt.ExchangeNotAvailable : ccxt.ExchangeError)(feedback);
  }
}

/** The class of a call, as the exchange counts it. */
function classOf(api, method, path) {
  if (api === 'public') return `public ${path}`;
  if (method === 'GET') return 'read';
  return path.includes('cancel') || (method === 'PUT' && path === 'coin/trade') ? 'cancel' : 'order';
}

/** The claim of a command: orders by id and by name, the pairs of new orders, and whether it cancels many. */
function claimOf(call, { id, ids, client_order_id: name, client_order_ids: names, items, ...fields }) {
  const isMass = call.endsWith('CancelAll');
  const placed = items === undefined ? [fields] : JSON.parse(items);
  const list = (text) => text?.split(',') ?? [];
  const named = [name, ...list(names), ...placed.map(({ client_order_id: own }) => own)];
  return {
    isMass,
    orders: new Set([
      ...[id, ...list(ids)].filter(isGiven).map((one) => `id ${one}`),
      ...named.filter(isGiven).map((one) => `name ${one}`),
    ]),
    // The pair of a change is not known, and a mass cancel may be for all pairs.
    pairs: placed.every(({ legal_id: quote }) => isGiven(quote)) ? placed.map(pairKeyOf) : undefined,
  };
}
const pairKeyOf = ({ legal_id: quote, currency_id: base }) => `${quote} ${base}`;

/** Whether two commands may be about the same order. */
function overlap(one, other) {
  if (!one.isMass && !other.isMass) return [...one.orders].some((name) => other.orders.has(name));
  return !one.pairs || !other.pairs || one.pairs.some((pair) => other.pairs.includes(pair));
}

/** How many orders a call places or names. */
function itemsOf({ items = '[]', ids = '', client_order_ids: names = '' }) {
  const named = `${ids},${names}`.split(',').filter(Boolean);
  return Math.max(1, JSON.parse(items).length + named.length);
}

/** Prices that trigger an order; a stop without its price would be executed at once. */
const STOPS = ['triggerPrice', 'stopPrice', 'stopLossPrice'];
/** Parameters that make an order a trailing stop. */
const TRAILS = ['trailingPercent', 'trailingAmount', 'trailingTriggerPrice'];
const isFlag = (value) => typeof value === 'boolean';
const isText = (value) => typeof value === 'string' && value !== '';
const isInstant = (value) => Number.isSafeInteger(value) && value >= 0;
/** A number or decimal text above zero. */
function isPositive(value) {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const text = ccxt.numberToString(value);
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}
const oneOf = (...values) =>
  Object.assign((value) => values.includes(value), { values: values.map(String).join(', ') });

const PLACE = {
  triggerPrice: isPositive,
  stopPrice: isPositive,
  stopLossPrice: isPositive,
  triggerPriceType: oneOf('last', 'mark', 'index'),
  trailingPercent: isPositive,
  trailingAmount: isPositive,
  trailingTriggerPrice: isPositive,
  postOnly: isFlag,
  timeInForce: oneOf('GTC', 'IOC', 'FOK', 'PO'),
  clientOrderId: isText,
  stp: oneOf('cancel_newest', 'cancel_oldest', 'cancel_both'),
  idempotencyKey: isText,
};
/** A batch has one key for all of its orders. */
const BATCHED = Object.fromEntries(Object.entries(PLACE).filter(([name]) => name !== 'idempotencyKey'));
const AMEND = { clientOrderId: isText, idempotencyKey: isText };
const CANCEL_ALL = { side: oneOf('buy', 'sell'), idempotencyKey: isText };
const areTexts = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);
const LIST = { until: isInstant };
const NONE = {};

/**
 * The parameters of each method, with the place of `params` among its arguments. This is the only way in: a parameter
 * that is not named here means nothing to the exchange, and is refused before anything is sent.
 */
const METHODS = {
  cancelAllOrders: [1, CANCEL_ALL],
  cancelAllOrdersWs: [1, CANCEL_ALL],
  cancelOrder: [2, AMEND],
  cancelOrders: [2, { clientOrderIds: areTexts, idempotencyKey: isText }],
  cancelOrderWs: [2, AMEND],
  createLimitBuyOrder: [3, PLACE],
  createLimitOrder: [4, PLACE],
  createLimitSellOrder: [3, PLACE],
  createMarketBuyOrder: [2, PLACE],
  createMarketOrder: [4, PLACE],
  createMarketSellOrder: [2, PLACE],
  createOrder: [5, PLACE],
  createOrders: [1, { idempotencyKey: isText }],
  createOrderWs: [5, PLACE],
  createPostOnlyOrder: [5, PLACE],
  createStopLimitOrder: [5, PLACE],
  createStopLossOrder: [6, PLACE],
  createStopMarketOrder: [4, PLACE],
  createStopOrder: [6, PLACE],
  createTriggerOrder: [6, PLACE],
  editOrder: [6, AMEND],
  editOrderWs: [6, AMEND],
  fetchBalance: [0, { type: oneOf(...Object.keys(ACCOUNTS)) }],
  fetchClosedOrders: [3, LIST],
  fetchCurrencies: [0, NONE],
  fetchDeposits: [3, LIST],
  fetchL2OrderBook: [2, NONE],
  fetchMarkets: [0, NONE],
  fetchMyTrades: [3, LIST],
  fetchOHLCV: [4, LIST],
  fetchOpenOrders: [3, LIST],
  fetchOrder: [2, { clientOrderId: isText }],
  fetchOrderBook: [2, NONE],
  fetchOrders: [3, LIST],
  fetchOrderTrades: [4, LIST],
  fetchStatus: [0, NONE],
  fetchTicker: [1, NONE],
  fetchTickers: [1, NONE],
  fetchTime: [0, NONE],
  fetchTrades: [3, LIST],
  fetchTradingFee: [1, NONE],
  fetchTradingFees: [0, NONE],
  fetchWithdrawals: [3, LIST],
  unWatchBalance: [0, { type: oneOf(...Object.keys(ACCOUNTS)) }],
  unWatchMyTrades: [1, NONE],
  unWatchOHLCV: [2, NONE],
  unWatchOrderBook: [1, NONE],
  unWatchOrderBookForSymbols: [1, NONE],
  unWatchOrders: [1, NONE],
  unWatchTicker: [1, NONE],
  unWatchTickers: [1, NONE],
  unWatchTrades: [1, NONE],
  unWatchTradesForSymbols: [1, NONE],
  watchBalance: [0, { type: oneOf(...Object.keys(ACCOUNTS)) }],
  watchMyTrades: [3, NONE],
  watchOHLCV: [4, NONE],
  watchOrderBook: [2, NONE],
  watchOrderBookForSymbols: [2, NONE],
  watchOrders: [3, NONE],
  watchTicker: [1, NONE],
  watchTickers: [1, NONE],
  watchTrades: [3, NONE],
  watchTradesForSymbols: [3, NONE],
};
/** Names of the methods of a class and of those that it extends. */
function namesOf(prototype) {
  const above = Object.getPrototypeOf(prototype);
  return [...Object.getOwnPropertyNames(prototype), ...(above ? namesOf(above) : [])];
}
/** Methods that ccxt would emulate: it would pass a cost as an amount, or answer from its cache. */
const REFUSED = [
  'createMarketBuyOrderWithCost',
  'createMarketOrderWithCost',
  'createMarketSellOrderWithCost',
  // Orders and reads by the socket for which the exchange has no message.
  ...namesOf(ccxt.Exchange.prototype).filter((name) => name.endsWith('Ws') && !(name in METHODS)),
];
for (const name of REFUSED) {
  const refused = function () {
    return Promise.reject(new ccxt.NotSupported(`${this.id} ${name}() is not supported`));
  };
  Object.defineProperty(bourse.prototype, name, { value: refused, writable: true, configurable: true });
}
for (const [name, [place, known]] of Object.entries(METHODS)) {
  const method = bourse.prototype[name];
  const checked = async function (...given) {
    given[place] = checkParams(`${this.id} ${name}()`, given[place], known);
    return method.apply(this, given);
  };
  Object.defineProperty(bourse.prototype, name, { value: checked, writable: true, configurable: true });
}

/**
 * The parameters of a call that are given.
 * @throws NotSupported for one that the method does not honour
 */
function checkParams(call, params, known) {
  if (!isGiven(params)) return {};
  if (typeof params !== 'object' || Array.isArray(params))
    throw new ccxt.BadRequest(`${call} takes params as an object`);
  const given = {};
  const unknown = [];
  // Inherited parameters count too.
  for (const name in params) {
    if (!Object.hasOwn(known, name)) unknown.push(name);
    else if (isGiven(params[name])) given[name] = params[name];
    else if ([...STOPS, ...TRAILS].includes(name)) throw new ccxt.ArgumentsRequired(`${call} needs a value of ${name}`);
  }
  if (unknown.length > 0) throw new ccxt.NotSupported(`${call} does not support ${unknown.join(', ')}`);
  for (const [name, value] of Object.entries(given)) {
    if (known[name](value)) continue;
    const { values } = known[name];
    if (values !== undefined)
      throw new ccxt.NotSupported(`${call} supports ${name} of ${values}, not ${String(value)}`);
    throw new ccxt.BadRequest(`${call} takes no ${name} of ${String(value)}`);
  }
  return given;
}

/**
 * The requested part of a list: `since` and `until` are ms, both inclusive.
 * @throws BadRequest for an invalid time or count
 */
function spanOf({ id }, since, limit, until) {
  for (const [name, value] of Object.entries({ since, until }))
    if (isGiven(value) && !(Number.isFinite(value) && value >= 0))
      throw new ccxt.BadRequest(`${id} takes ${name} as unix milliseconds, not ${String(value)}`);
  if (isGiven(limit) && !(Number.isSafeInteger(limit) && limit > 0))
    throw new ccxt.BadRequest(`${id} takes limit as a whole number above 0, not ${String(limit)}`);
  return { from: isGiven(since) ? Math.ceil(since) : undefined, to: until ?? undefined, limit: limit ?? undefined };
}

/** Opening times of the candles of a timeframe, in seconds. Months differ in length. */
function opensOf(timeframe, length) {
  if (timeframe === '1M') {
    const monthOf = (second) => new Date(second * 1_000).getUTCFullYear() * 12 + new Date(second * 1_000).getUTCMonth();
    const startOf = (month) => Date.UTC(Math.floor(month / 12), month % 12) / 1_000;
    const at = (second) => startOf(monthOf(second));
    const after = (open, count) => startOf(monthOf(open) + count);
    return { at, after, next: (second) => (at(second) < second ? after(at(second), 1) : at(second)) };
  }
  const base = timeframe === '1w' ? FIRST_MONDAY_S : 0;
  return {
    at: (second) => Math.floor((second - base) / length) * length + base,
    after: (open, count) => open + count * length,
    next: (second) => Math.ceil((second - base) / length) * length + base,
  };
}

/** Trades from a moment on, oldest first: at least `enough`, if there are. */
async function tradesFrom(read, { from, to }, enough) {
  const trades = new Map();
  const add = (rows) => rows.forEach((row) => trades.set(row.id, row));
  for (let next = from; ;) {
    const page = await read({ from: next, to, order: 'asc' });
    add(page);
    if (page.length < PAGE || trades.size >= enough) return [...trades.values()];
    const { ts } = page.at(-1);
    if (ts === page[0].ts) {
      // More than a page of trades in one millisecond: the rest is read backwards from its end.
      add((await tradesBefore(read, { from: ts, to: ts }, Infinity)).reverse());
      next = ts + 1;
    } else next = ts;
  }
}

/** Trades up to a moment, newest first: at least `enough`, if there are. */
async function tradesBefore(read, { from, to }, enough) {
  const trades = [];
  for (;;) {
    const page = await read({ from, to, before: trades.at(-1)?.id });
    trades.push(...page);
    if (page.length < PAGE || trades.length >= enough) return trades;
  }
}

/**
 * Keys by which a mailbox keeps messages: every message, the last one, the last one of each time, market or currency.
 */
const ALL = () => undefined;
const LAST = () => 'last';
const BY_TIME = ({ time }) => time;
const BY_SYMBOL = ({ symbol }) => symbol;
const BY_CURRENCY = ({ currency_name: name }) => name;
/** Placeholder in the mailbox of balances after a gap: they are read again. */
const REREAD = {};

/**
 * Unread messages of one stream, `KEPT` at most. A message replaces the one with its key. All waiting calls get the
 * same messages.
 */
export class Mailbox {
  #items = [];
  #waiting = [];
  #failure;

  constructor(keyOf = ALL) {
    this.keyOf = keyOf;
  }

  put(item) {
    const key = this.keyOf(item);
    if (key !== undefined) this.#items = this.#items.filter((one) => this.keyOf(one) !== key);
    this.#items.push(item);
    if (this.#items.length > KEPT) this.#items.shift();
    if (this.#waiting.length === 0) return;
    const all = this.#items.splice(0);
    for (const { resolve } of this.#waiting.splice(0)) resolve([...all]);
  }
  fail(error) {
    this.#failure = this.#waiting.length === 0 ? error : undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
  /** Puts back messages that were taken and not used; messages that arrived since are newer. */
  back(items) {
    const keys = new Set(this.#items.map((one) => this.keyOf(one)));
    this.#items.unshift(...items.filter((one) => !keys.has(this.keyOf(one))));
  }
  clear() {
    this.#items = [];
    this.#failure = undefined;
  }
  /** All there is, at least one. */
  async take() {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure;
    if (this.#items.length > 0) return this.#items.splice(0);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
}

/**
 * Takes the next book of a mailbox; the others stay. Books are live objects; one without a number is being reloaded.
 */
async function nextBook(box) {
  for (;;) {
    const books = await box.take();
    const index = books.findIndex(({ seq }) => seq !== 0);
    if (index < 0) continue;
    box.back(books.slice(index + 1));
    return books[index];
  }
}
const placeOf = (name, markets) =>
  `${name} ${markets
    .map(({ id }) => id)
    .sort()
    .join(' ')}`;
/** How the mailboxes of a channel are named: of one market, and of several. */
const BOXES = { daymarket: ['ticker', 'tickers'], trades: ['trades'], depth: ['book', 'books'], kline: ['candles'] };
/** Whether the mailbox at this place keeps messages of a stream. */
function isKeptAt(place, { channel, symbol, interval }) {
  const [name, ...words] = place.split(' ');
  return BOXES[channel]?.includes(name) && words.includes(symbol) && (interval === '' || words.includes(interval));
}

/** Callers omit arguments or pass null. */
const isGiven = (value) => value !== undefined && value !== null;
const sideOf = (type) => (type === 1 ? 'buy' : 'sell');
const typeOf = (side) => (side === 'buy' ? 1 : 2);

export default bourse;
