// Bourse for ccxt: the class that bots load. What it can do and how it is used: docs/ccxt.md.
import { createHash, createHmac } from 'node:crypto';
import ccxt from 'ccxt';
import { Bourse as Client } from '@bourse/sdk';

const { Precise } = ccxt;

/** How long the outcome of an order or cancel is asked for: the exchange settles every command within 15 s. Ms. */
const OUTCOME_MS = 30_000;
const PAUSE_MS = { first: 250, most: 2_000 };
/** How long an order waits for the stream that is to tell of it, when that is just being opened. Ms. */
const OPEN_MS = 5_000;
/** The exchange tells its time in whole seconds: only a clock that is really off is corrected. Ms. */
const CLOCK_OFF_MS = 2_000;
/** Refusals of the moment: this try has done nothing, which says nothing of one before it whose answer was lost. */
const BUSY = ['common.unavailable', 'common.tooMany'];
/** Refusals that ccxt counts among those of the network, and that are final. */
const SETTLED = ['common.expired'];
/** Most entries of a page, and most levels of a side, that a call answers. */
const PAGE = 100;
const PAGES = 1_000;
/** How often a list that moves while it is read is read anew. */
const TURNS = 3;
const LEVELS = { least: 8, most: 100 };
const CANDLES = 1_500;
/** Most messages of a stream that are kept while nobody takes them: the oldest go first. */
const KEPT = 1_000;

export class bourse extends ccxt.Exchange {
  describe() {
    return this.deepExtend(super.describe(), {
      id: 'bourse',
      name: 'Bourse',
      countries: [],
      version: 'v1',
      // Public reads are counted per path and address: 20 a second.
      rateLimit: 50,
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
        cancelOrder: true,
        // The exchange takes the quantity of a market order, and no sum to spend.
        createMarketBuyOrderWithCost: false,
        createMarketOrder: true,
        createOrder: true,
        createPostOnlyOrder: true,
        createStopLimitOrder: true,
        createStopMarketOrder: true,
        createStopOrder: true,
        fetchBalance: true,
        fetchClosedOrders: true,
        fetchCurrencies: true,
        fetchDepositAddress: false,
        fetchDeposits: true,
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
      // Every installation has its own address: give it as `urls: { api: { public: …, private: … } }` or `hostname`.
      hostname: '127.0.0.1:8080',
      urls: {
        api: { public: 'http://{hostname}', private: 'http://{hostname}' },
        www: 'http://{hostname}',
        doc: ['http://{hostname}/docs'],
      },
      api: {
        public: {
          get: ['currency/list', 'currency/new_timeshar', 'market/trades', 'quotation_new', 'status', 'time'],
          post: ['transaction/deal'],
        },
        private: {
          get: [
            'coin/fills',
            'coin/list',
            'coin/order',
            'command',
            'stream/since',
            'wallet/deposits',
            'wallet/list',
            'wallet/out_list',
          ],
          post: ['coin/cancel_all', 'coin/trade'],
          put: ['coin/trade'],
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
          'fund.notSet': ccxt.PermissionDenied,
          'kyc.required': ccxt.PermissionDenied,
          'market.paused': ccxt.MarketClosed,
          'market.stale': ccxt.OperationRejected,
          noopen: ccxt.PermissionDenied,
          'pair.delisted': ccxt.BadSymbol,
          'quantity.rule': ccxt.InvalidOrder,
          'trade.bookEmpty': ccxt.InvalidOrder,
          'trade.flags': ccxt.InvalidOrder,
          'trade.notOpen': ccxt.OrderNotFound,
          'trade.numberScale': ccxt.InvalidOrder,
          'trade.priceScale': ccxt.InvalidOrder,
          'trade.stopPrice': ccxt.InvalidOrder,
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
    const { message } = await this.publicGetCurrencyList();
    const coins = [...message.legal, ...message.list];
    return Object.fromEntries(
      coins.map((coin) => {
        const code = this.safeCurrencyCode(coin.name);
        return [
          code,
          this.safeCurrencyStructure({
            id: String(coin.id),
            code,
            name: coin.full_name,
            active: true,
            deposit: undefined,
            withdraw: undefined,
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

  async fetchTradingFees() {
    await this.loadMarkets();
    return Object.fromEntries(
      this.symbols.map((symbol) => {
        const { maker, taker, info } = this.market(symbol);
        return [symbol, { symbol, maker, taker, percentage: true, tierBased: false, info }];
      }),
    );
  }

  async fetchTickers(symbols = undefined) {
    await this.loadMarkets();
    const wanted = this.marketSymbols(symbols);
    const { message } = await this.publicGetQuotationNew();
    const tickers = message.flatMap((group) => group.quotation).map((item) => this.parseTicker(item));
    return this.filterByArrayTickers(tickers, 'symbol', wanted);
  }

  async fetchTicker(symbol) {
    const tickers = await this.fetchTickers([symbol]);
    const market = this.market(symbol);
    const book = await this.fetchOrderBook(symbol, LEVELS.least);
    const [[bid, bidVolume] = [], [ask, askVolume] = []] = [book.bids[0], book.asks[0]];
    const { timestamp, datetime } = book;
    return { ...tickers[market.symbol], timestamp, datetime, bid, bidVolume, ask, askVolume };
  }

  /** A row of the quotations, or a `daymarket` message. */
  parseTicker(item, market = undefined) {
    const { symbol } = this.safeMarket(item.symbol, market);
    const last = this.omitZero(item.now_price);
    return this.safeTicker(
      {
        symbol,
        timestamp: item.ts,
        datetime: this.iso8601(item.ts),
        high: this.omitZero(item.high),
        low: this.omitZero(item.low),
        last,
        close: last,
        percentage: item.change,
        baseVolume: item.volume,
        info: item,
      },
      market,
    );
  }

  async fetchOrderBook(symbol, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const depth = Math.min(Math.max(limit ?? 20, LEVELS.least), LEVELS.most);
    const { message } = await this.publicPostTransactionDeal({ ...this.pairOf(market), depth, ...params });
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

  async fetchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const length = this.parseTimeframe(timeframe);
    const count = Math.min(limit ?? PAGE, CANDLES);
    const now = this.seconds();
    const from = isGiven(since) ? Math.floor(since / 1_000) : now - count * length;
    const to = isGiven(since) ? Math.min(now, from + count * length) : now;
    const period = this.safeString(this.timeframes, timeframe);
    if (period === undefined) throw new ccxt.BadRequest(`${this.id} has no candles of ${timeframe}`);
    const { data } = await this.publicGetCurrencyNewTimeshar({ symbol: market.id, period, from, to, ...params });
    return this.parseOHLCVs(data, market, timeframe, since, limit);
  }

  parseOHLCV({ time, open, high, low, close, volume }) {
    return [time, ...[open, high, low, close, volume].map((value) => this.parseNumber(value))];
  }

  async fetchTrades(symbol, since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { message } = await this.publicGetMarketTrades({
      ...this.pairOf(market),
      limit: Math.min(limit ?? PAGE, PAGE),
      ...params,
    });
    return this.parseTrades(message.list, market, since, limit);
  }

  /** A trade of the market (by a call or `match_trade`), or an own fill. */
  parseTrade(trade, market = undefined) {
    const timestamp = trade.ts ?? timeOf(trade.create_time);
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
        takerOrMaker: trade.role,
        price: trade.price,
        amount: trade.amount ?? trade.number,
        cost: trade.total,
        fee: own ? { cost: trade.fee, currency: this.safeCurrencyCode(trade.fee_currency) } : undefined,
      },
      market,
    );
  }

  // ── one's own ──

  async fetchBalance(params = {}) {
    await this.loadMarkets();
    const response = await this.privateGetWalletList(this.omit(params, 'type'));
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
    await this.loadMarkets();
    const market = this.market(symbol);
    const trigger = this.safeStringN(params, ['triggerPrice', 'stopPrice']);
    const { postOnly, timeInForce, clientOrderId } = params;
    if (!['limit', 'market'].includes(type)) throw new ccxt.InvalidOrder(`${this.id} has no orders of type ${type}`);
    if (type === 'limit' && price === undefined)
      throw new ccxt.ArgumentsRequired(`${this.id} needs the price of a limit order`);
    const request = {
      ...this.pairOf(market),
      type: side === 'buy' ? 1 : 2,
      order_type: trigger === undefined ? type : `stop_${type}`,
      amount: this.amountToPrecision(symbol, amount),
      target_price: type === 'limit' ? this.priceToPrecision(symbol, price) : undefined,
      stop_price: trigger === undefined ? undefined : this.priceToPrecision(symbol, trigger),
      time_in_force: timeInForce === 'PO' ? undefined : timeInForce,
      post_only: postOnly || timeInForce === 'PO' ? 1 : undefined,
      client_order_id: clientOrderId,
    };
    const known = ['triggerPrice', 'stopPrice', 'postOnly', 'timeInForce', 'clientOrderId'];
    const { order } = await this.once('privatePostCoinTrade', { ...request, ...this.omit(params, known) });
    return this.parseOrder(order, market);
  }

  async cancelOrder(id, symbol = undefined, params = {}) {
    await this.loadMarkets();
    const { clientOrderId } = params;
    const named = clientOrderId === undefined ? { id } : { client_order_id: clientOrderId };
    const { order } = await this.once('privatePutCoinTrade', { ...named, ...this.omit(params, 'clientOrderId') });
    return this.parseOrder(order, isGiven(symbol) ? this.market(symbol) : undefined);
  }

  async cancelAllOrders(symbol = undefined, params = {}) {
    await this.loadMarkets();
    const pair = isGiven(symbol) ? this.pairOf(this.market(symbol)) : {};
    const response = await this.once('privatePostCoinCancelAll', { ...pair, ...params });
    return response.ids.map((id) => this.safeOrder({ id, info: response }));
  }

  async fetchOrder(id, symbol = undefined, params = {}) {
    await this.loadMarkets();
    const { clientOrderId } = params;
    const named = clientOrderId === undefined ? { id } : { client_order_id: clientOrderId };
    const { message } = await this.privateGetCoinOrder({ ...named, ...this.omit(params, 'clientOrderId') });
    return this.parseOrder(message, isGiven(symbol) ? this.market(symbol) : undefined);
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
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const filter = market && { currency: market.baseId, legal_id: market.quoteId };
    // What is open is all of it, unless one wants less.
    const most = limit ?? (status === 1 ? Infinity : undefined);
    const rows = await this.pages('privateGetCoinList', { status, ...filter, ...params }, since, most, 'created_at');
    return this.parseOrders(rows, market, since, limit);
  }

  async fetchMyTrades(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = isGiven(symbol) ? this.market(symbol) : undefined;
    const filter = { ...(market && this.pairOf(market)), ...params };
    const rows = await this.pages('privateGetCoinFills', filter, since, limit, 'create_time');
    return this.parseTrades(rows, market, since, limit);
  }

  fetchOrderTrades(id, symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return this.fetchMyTrades(symbol, since, limit, { order_id: id, ...params });
  }

  async fetchDeposits(code = undefined, since = undefined, limit = undefined, params = {}) {
    return this.movements('privateGetWalletDeposits', 'deposit', code, since, limit, params);
  }
  async fetchWithdrawals(code = undefined, since = undefined, limit = undefined, params = {}) {
    return this.movements('privateGetWalletOutList', 'withdrawal', code, since, limit, params);
  }

  async movements(call, type, code, since, limit, params) {
    await this.loadMarkets();
    const currency = isGiven(code) ? this.currency(code) : undefined;
    const filter = { ...(currency && { currency: currency.id }), ...params };
    const rows = await this.pages(call, filter, since, limit, 'create_time');
    return this.parseTransactions(
      rows.map((row) => ({ ...row, kind: type })),
      currency,
      since,
      limit,
    );
  }

  parseTransaction(row, currency = undefined) {
    const timestamp = timeOf(row.create_time);
    const code = this.safeCurrencyCode(row.currency_name, currency);
    const ended = { credited: 'ok', returned: 'failed', done: 'ok', failed: 'failed', cancelled: 'canceled' };
    return {
      info: this.omit(row, 'kind'),
      id: row.id,
      txid: row.tx_id || undefined,
      type: row.kind,
      currency: code,
      amount: this.parseNumber(row.amount ?? row.number),
      fee: row.fee === undefined ? undefined : { currency: code, cost: this.parseNumber(row.fee) },
      status: ended[row.state] ?? 'pending',
      address: row.address || undefined,
      tag: row.memo || undefined,
      timestamp,
      datetime: this.iso8601(timestamp),
      updated: timeOf(row.update_time),
    };
  }

  parseOrder(order, market = undefined) {
    const timestamp = timeOf(order.created_at);
    const done = order.cancelled === 1 ? 'canceled' : 'closed';
    return this.safeOrder(
      {
        id: order.id,
        clientOrderId: order.client_order_id || undefined,
        info: order,
        symbol: this.safeMarket(order.symbol, market).symbol,
        timestamp,
        datetime: this.iso8601(timestamp),
        lastUpdateTimestamp: timeOf(order.updated_at),
        type: order.order_type.replace('stop_', ''),
        side: sideOf(order.type),
        timeInForce: order.post_only === 1 ? 'PO' : order.time_in_force,
        postOnly: order.post_only === 1,
        price: order.order_type.endsWith('market') ? undefined : order.target_price,
        triggerPrice: this.omitZero(order.stop_price),
        amount: order.trade_amount,
        filled: order.filled_amount,
        average: this.omitZero(order.trade_price),
        status: order.status === 1 ? 'open' : done,
        fee: { cost: order.fee, currency: this.safeCurrencyCode(order.fee_currency) },
      },
      market,
    );
  }

  // ── live: each call answers what has come since the one before ──

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
    return this.parseTrades(await box.take(), market, since, limit);
  }
  unWatchTrades(symbol) {
    return this.unwatch('trades', symbol);
  }

  async watchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined) {
    const period = this.safeString(this.timeframes, timeframe);
    const { market, box } = await this.watched(`candles ${period}`, symbol, BY_TIME, (stream, { id }, box) =>
      stream.candles(id, period, (message) => box.put(message)),
    );
    return this.parseOHLCVs(await box.take(), market, timeframe, since, limit);
  }
  unWatchOHLCV(symbol, timeframe = '1m') {
    return this.unwatch(`candles ${this.safeString(this.timeframes, timeframe)}`, symbol);
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
    return this.parseTrades(await box.take(), undefined, since, limit);
  }
  unWatchTradesForSymbols(symbols) {
    return this.unwatchAll('trades of', symbols);
  }

  /** The book that changed first of those that this call has not told yet. */
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
    // Begun at once: an order that is placed beside this call waits for it. A refusal is told to the mailboxes.
    this.ready().catch(() => undefined);
    const { box } = await this.watched(name, symbol, ALL, (stream, market, box) => {
      const ends = [
        stream.on('order_update', (message) => {
          const one = parse(message);
          if (one && (market === undefined || one.symbol === market.symbol)) box.put(one);
        }),
        // What was missed does not come again: whoever watches must know, or would take old orders for current ones.
        this.onMissed(stream, () => {
          box.clear();
          box.fail(new ccxt.NetworkError(`${this.id} has missed messages: read orders and trades anew`));
        }),
      ];
      return () => ends.forEach((end) => end());
    });
    return this.filterBySinceLimit(await box.take(), since, limit, 'timestamp', true);
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
        // Missed messages may be of any currency: all are read anew, and told.
        this.onMissed(stream, () => {
          this.balances?.delete(account);
          box.clear();
          box.put(REREAD);
        }),
      ];
      return () => ends.forEach((end) => end());
    });
    // What is read after the stream is open misses nothing; numbers that come then are newer.
    await this.ready().catch((error) => {
      box.clear();
      throw error;
    });
    const read = this.readBalance(account);
    await read;
    const lines = await box.take();
    // After a hole, or beside another who waits, there is a newer state than the one from above.
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

  /** Ends a stream: nothing is kept for it any more, and whoever waits is told. */
  async unwatch(name, symbol) {
    await this.loadMarkets();
    this.endMailbox(`${name} ${isGiven(symbol) ? this.market(symbol).id : ''}`);
  }

  async unwatchAll(name, symbols) {
    await this.loadMarkets();
    this.endMailbox(placeOf(name, this.marketsOf(symbols)));
  }

  endMailbox(place) {
    const box = this.mailboxes?.get(place);
    if (!box) return;
    this.mailboxes.delete(place);
    box.close();
    box.fail(new ccxt.UnsubscribeError(`${this.id} ${place.trim()} is watched no more`));
  }

  marketsOf(symbols) {
    return (symbols ?? this.symbols).map((symbol) => this.market(symbol));
  }

  live() {
    this.socket ??= new Client({
      url: this.address('public'),
      ...(this.apiKey && this.secret ? { key: this.apiKey, secret: this.secret } : {}),
    }).stream((error) => {
      const Kind = this.endOf(error);
      if (Kind) for (const box of this.mailboxes?.values() ?? []) box.fail(new Kind(`${this.id} ${error.message}`));
    });
    return this.socket;
  }

  /** Lines are lost and found again; a key that is not taken, or was ended, stays so. */
  endOf({ message }) {
    return message.startsWith('the stream was closed:') ? ccxt.AuthenticationError : this.exceptions.exact[message];
  }

  /** Settles once the stream tells what happens to one's own orders and balances: what follows is told. */
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

  /** Told when own messages were missed that do not come again. */
  onMissed(stream, told) {
    this.missed ??= new Set();
    this.missed.add(told);
    const end = stream.onHole(told);
    return () => {
      this.missed?.delete(told);
      end();
    };
  }

  /** Of what is done while the stream opens nothing would be told: it waits for it, or whoever watches is told so. */
  async heard() {
    if (this.opening === undefined || this.isOpen) return;
    let timer;
    const enough = new Promise((resolve) => (timer = setTimeout(resolve, OPEN_MS)));
    await Promise.race([this.opening.catch(() => undefined), enough]);
    clearTimeout(timer);
    if (!this.isOpen) this.isBehind = true;
  }

  async close() {
    this.socket?.close();
    for (const box of this.mailboxes?.values() ?? []) box.fail(new ccxt.NetworkError(`${this.id} was closed`));
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
   * for `options.outcomeMs`. `idempotencyKey` in `params` names a key of one's own; errors carry it by that name.
   */
  async once(call, params) {
    await this.heard();
    const request = { idempotencyKey: this.uuid22(), ...params };
    const until = this.milliseconds() + this.options.outcomeMs;
    let isOpen = false;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.most)) {
      try {
        return await this[call](request);
      } catch (error) {
        error.idempotencyKey = request.idempotencyKey;
        const isDone = SETTLED.some((key) => error.message.includes(`"${key}"`));
        if (!(error instanceof ccxt.NetworkError) || isDone) throw error;
        const isBusy = BUSY.some((key) => error.message.includes(`"${key}"`));
        isOpen ||= !isBusy;
        // Too many orders are the bot's to pace, unless one of them may be on its way.
        if (error instanceof ccxt.RateLimitExceeded && !isOpen) throw error;
        if (this.milliseconds() + pause <= until) {
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

  /**
   * Rows of a list, newest first, until `limit` are there or they are older than `since`. One that became shorter while
   * it was read is read anew: a row may have moved to a page that was read already.
   */
  async pages(call, filter, since, limit, timeField = 'create_time') {
    for (let turn = 1; ; turn += 1) {
      const rows = new Map();
      let isMoved = false;
      let known = 0;
      for (let page = 1; page <= PAGES; page += 1) {
        const { message } = await this[call]({ ...filter, page, limit: PAGE });
        for (const row of message.data) rows.set(row.id, row);
        isMoved ||= message.total < known;
        known = message.total;
        const oldest = timeOf(message.data.at(-1)?.[timeField]);
        const enough = isGiven(since) ? oldest === undefined || oldest < since : rows.size >= (limit ?? PAGE);
        if (message.has_more !== 1 || enough) break;
      }
      if (!isMoved || turn === TURNS) return [...rows.values()];
    }
  }

  nonce() {
    return this.milliseconds() - this.options.timeDifference;
  }

  /** With `adjustForTimeDifference` a call whose signature had a wrong time goes out once more, with the right one. */
  async request(...call) {
    const { adjustForTimeDifference: mayAdjust, timeDifference: before } = this.options;
    try {
      return await super.request(...call);
    } catch (error) {
      const isSignature = error instanceof ccxt.AuthenticationError && error.message.includes('"apikey.signature"');
      if (!mayAdjust || !isSignature) throw error;
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
    const refused = response.type !== undefined && response.type !== 'ok';
    if (!refused) return undefined;
    const feedback = `${this.id} ${body}`;
    this.throwExactlyMatchedException(this.exceptions.exact, response.key, feedback);
    throw new (status >= 500 ? ccxt.ExchangeNotAvailable : ccxt.ExchangeError)(feedback);
  }
}

/** What a mailbox keeps of a stream: every message, the last one, the last one of each time, market or currency. */
const ALL = () => undefined;
const LAST = () => 'last';
const BY_TIME = ({ time }) => time;
const BY_SYMBOL = ({ symbol }) => symbol;
const BY_CURRENCY = ({ currency_name: name }) => name;
/** Stands in the mailbox of balances after a hole: they are read anew. */
const REREAD = {};

/**
 * What has come of one stream and was not taken yet, `KEPT` messages at most. A message takes the place of the one with
 * its key. All who wait get what comes, each the same.
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
  /** Puts back what was taken and not used; what has come since is newer. */
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

/** The next book of a mailbox; the others stay. They are the live ones: without a number one is being read anew. */
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

/** Callers leave arguments out, or name null. */
const isGiven = (value) => value !== undefined && value !== null;
const sideOf = (type) => (type === 1 ? 'buy' : 'sell');
/** ccxt's names of accounts, and ours. */
const ACCOUNTS = {
  spot: 'change',
  funding: 'legal',
  margin: 'lever',
  change: 'change',
  legal: 'legal',
  lever: 'lever',
};
const accountOf = (type = 'spot') => ACCOUNTS[type] ?? 'change';
/** `YYYY-MM-DD HH:mm:ss` in UTC as ms; undefined for what has not happened. */
const timeOf = (text) => (text ? Date.parse(`${text.replace(' ', 'T')}Z`) : undefined);

export default bourse;
