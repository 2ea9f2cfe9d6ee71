// Bourse for ccxt in the subset that ccxt's own transpiler reads: the Python classes are generated from this file by
// `node examples/python/ccxt/generate.mjs`. For Node there is ../../ccxt/bourse.mjs, with live streams.
import ccxt from 'ccxt';
import { sha256 } from '@noble/hashes/sha2.js';

const { Exchange, Precise } = ccxt;
const { ArgumentsRequired, BadRequest, BadSymbol, DuplicateOrderId, ExchangeError, ExchangeNotAvailable } = ccxt;
const { InvalidNonce, InvalidOrder, NetworkError, NotSupported, OrderNotFound, RequestTimeout } = ccxt;

export default class bourse extends Exchange {
  describe() {
    return this.deepExtend(super.describe(), {
      id: 'bourse',
      name: 'Bourse',
      countries: [],
      version: 'v1',
      // An order every 50 ms; the cost of other classes of calls is beside their paths.
      rateLimit: 50,
      certified: false,
      pro: false,
      hostname: '127.0.0.1:8080',
      has: {
        CORS: undefined,
        spot: true,
        margin: false,
        swap: false,
        future: false,
        option: false,
        cancelAllOrders: true,
        cancelOrder: true,
        createMarketBuyOrderWithCost: false,
        createMarketOrderWithCost: false,
        createMarketSellOrderWithCost: false,
        createOrder: true,
        createPostOnlyOrder: true,
        createStopLimitOrder: true,
        createStopMarketOrder: true,
        createStopOrder: true,
        createTriggerOrder: true,
        editOrder: true,
        fetchBalance: true,
        fetchClosedOrders: true,
        fetchCurrencies: true,
        fetchDepositAddress: false,
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
        fetchTradingFees: true,
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
      urls: {
        api: { public: 'http://{hostname}', private: 'http://{hostname}' },
        www: 'http://{hostname}',
        doc: ['http://{hostname}/docs'],
      },
      api: {
        public: {
          get: {
            config: 1,
            'currency/list': 1,
            'currency/new_timeshar': 1,
            'market/trades': 1,
            quotation_new: 1,
            status: 1,
            time: 1,
          },
          post: { 'transaction/deal': 1 },
        },
        private: {
          get: { 'coin/fills': 0.4, 'coin/list': 0.4, 'coin/order': 0.4, 'user/fee_level': 0.4, 'wallet/list': 0.4 },
          post: { 'coin/cancel_all': 0.5, 'coin/trade': 1 },
          put: { 'coin/order': 1, 'coin/trade': 0.5 },
        },
      },
      requiredCredentials: { apiKey: true, secret: true },
      precisionMode: 4,
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
      options: { outcomeMs: 30000 },
    });
  }

  async fetchTime(params = {}) {
    const response = await this.publicGetTime(params);
    return this.safeInteger(response, 'message');
  }

  async fetchStatus(params = {}) {
    const response = await this.publicGetStatus(params);
    const message = this.safeDict(response, 'message', {});
    const modes = this.safeDict(message, 'modes', {});
    const names = Object.keys(modes);
    let status = 'maintenance';
    for (let i = 0; i < names.length; i++) {
      if (modes[names[i]] === 'normal') {
        status = 'ok';
      }
    }
    return { status: status, updated: undefined, eta: undefined, url: undefined, info: response };
  }

  async fetchCurrencies(params = {}) {
    const response = await this.publicGetCurrencyList(params);
    const message = this.safeDict(response, 'message', {});
    const legal = this.safeList(message, 'legal', []);
    const others = this.safeList(message, 'list', []);
    const coins = this.arrayConcat(legal, others);
    const result = {};
    for (let i = 0; i < coins.length; i++) {
      const coin = coins[i];
      const code = this.safeCurrencyCode(this.safeString(coin, 'name'));
      result[code] = this.safeCurrencyStructure({
        id: this.safeString(coin, 'id'),
        code: code,
        name: this.safeString(coin, 'full_name'),
        type: 'crypto',
        precision: this.parseNumber(this.parsePrecision(this.safeString(coin, 'scale'))),
        networks: {},
        info: coin,
      });
    }
    return result;
  }

  async fetchMarkets(params = {}) {
    const items = await this.fetchQuotations(params);
    const result = [];
    for (let i = 0; i < items.length; i++) {
      result.push(this.parseMarket(items[i]));
    }
    return result;
  }

  async fetchQuotations(params = {}) {
    const response = await this.publicGetQuotationNew(params);
    const groups = this.safeList(response, 'message', []);
    let items = [];
    for (let i = 0; i < groups.length; i++) {
      items = this.arrayConcat(items, this.safeList(groups[i], 'quotation', []));
    }
    return items;
  }

  parseMarket(item) {
    const base = this.safeCurrencyCode(this.safeString(item, 'currency_name'));
    const quote = this.safeCurrencyCode(this.safeString(item, 'legal_name'));
    const amount = this.parseNumber(this.parsePrecision(this.safeString(item, 'number_scale')));
    const price = this.parseNumber(this.parsePrecision(this.safeString(item, 'price_scale')));
    const isOpen = this.safeInteger(item, 'open_coin_trade') === 1;
    return this.safeMarketStructure({
      id: this.safeString(item, 'symbol'),
      symbol: base + '/' + quote,
      base: base,
      quote: quote,
      baseId: this.safeString(item, 'currency_id'),
      quoteId: this.safeString(item, 'legal_id'),
      type: 'spot',
      spot: true,
      margin: false,
      swap: false,
      future: false,
      option: false,
      contract: false,
      active: isOpen && this.safeString(item, 'mode') === 'normal',
      maker: this.parseNumber(Precise.stringDiv(this.safeString(item, 'maker_fee'), '100')),
      taker: this.parseNumber(Precise.stringDiv(this.safeString(item, 'taker_fee'), '100')),
      precision: { amount: amount, price: price },
      limits: {
        amount: { min: amount, max: undefined },
        price: { min: undefined, max: undefined },
        cost: { min: this.safeNumber(item, 'min_total'), max: undefined },
        leverage: { min: undefined, max: undefined },
      },
      info: item,
    });
  }

  async fetchTradingFees(_params = {}) {
    await this.loadMarkets();
    let makerPart = '100';
    let takerPart = '100';
    if (this.apiKey !== undefined && this.apiKey !== '') {
      const response = await this.privateGetUserFeeLevel();
      const level = this.safeDict(response, 'message', {});
      makerPart = this.safeString(level, 'maker_percent', '100');
      takerPart = this.safeString(level, 'taker_percent', '100');
    }
    const result = {};
    for (let i = 0; i < this.symbols.length; i++) {
      const symbol = this.symbols[i];
      const market = this.market(symbol);
      result[symbol] = {
        info: market['info'],
        symbol: symbol,
        maker: this.rateOfLevel(this.safeString(market['info'], 'maker_fee'), makerPart),
        taker: this.rateOfLevel(this.safeString(market['info'], 'taker_fee'), takerPart),
        percentage: true,
        tierBased: true,
      };
    }
    return result;
  }

  rateOfLevel(rate, part) {
    // A part of a rate in percent, up to six decimals of a percent as the exchange rounds it.
    const exact = Precise.stringDiv(Precise.stringMul(rate, part), '100');
    let rounded = Precise.stringDiv(exact, '1', 6);
    if (Precise.stringGt(exact, rounded)) {
      rounded = Precise.stringAdd(rounded, '0.000001');
    }
    return this.parseNumber(Precise.stringDiv(rounded, '100'));
  }

  async fetchTickers(symbols = undefined, params = {}) {
    await this.loadMarkets();
    const items = await this.fetchQuotations(params);
    const tickers = [];
    for (let i = 0; i < items.length; i++) {
      tickers.push(this.parseTicker(items[i]));
    }
    return this.filterByArrayTickers(tickers, 'symbol', this.marketSymbols(symbols));
  }

  async fetchTicker(symbol, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const items = await this.fetchQuotations(params);
    for (let i = 0; i < items.length; i++) {
      if (this.safeString(items[i], 'symbol') === market['id']) {
        return this.parseTicker(items[i], market);
      }
    }
    throw new BadSymbol(this.id + ' has no pair ' + market['id'] + ' any more');
  }

  parseTicker(item, market = undefined) {
    const found = this.safeMarket(this.safeString(item, 'symbol'), market);
    const last = this.omitZero(this.safeString(item, 'now_price'));
    const timestamp = this.safeInteger(item, 'ts');
    return this.safeTicker(
      {
        symbol: found['symbol'],
        timestamp: timestamp,
        datetime: this.iso8601(timestamp),
        high: this.omitZero(this.safeString(item, 'high')),
        low: this.omitZero(this.safeString(item, 'low')),
        bid: this.safeString(item, 'bid'),
        bidVolume: undefined,
        ask: this.safeString(item, 'ask'),
        askVolume: undefined,
        last: last,
        close: last,
        percentage: this.safeString(item, 'change'),
        baseVolume: this.safeString(item, 'volume'),
        quoteVolume: this.safeString(item, 'quote_volume'),
        info: item,
      },
      found,
    );
  }

  pairOf(market) {
    return { legal_id: market['quoteId'], currency_id: market['baseId'] };
  }

  async fetchOrderBook(symbol, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const depth = limit === undefined ? 20 : Math.min(Math.max(limit, 8), 100);
    const request = this.extend(this.pairOf(market), { depth: depth });
    const response = await this.publicPostTransactionDeal(this.extend(request, params));
    const message = this.safeDict(response, 'message', {});
    const timestamp = this.safeInteger(message, 'ts');
    const book = this.parseOrderBook(message, market['symbol'], timestamp, 'in', 'out', 'price', 'number');
    book['nonce'] = this.safeInteger(message, 'seq');
    return book;
  }

  async fetchOHLCV(symbol, timeframe = '1m', since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const seconds = this.parseTimeframe(timeframe);
    const count = limit === undefined ? 100 : Math.min(limit, 1500);
    const until = this.safeInteger(params, 'until', this.milliseconds());
    let last = this.parseToInt(until / 1000);
    let first = last - seconds * count;
    if (since !== undefined) {
      first = this.parseToInt((since + 999) / 1000);
      last = Math.min(last, first + seconds * count);
    }
    const request = {
      symbol: market['id'],
      period: this.safeString(this.timeframes, timeframe),
      from: first,
      to: last,
    };
    const response = await this.publicGetCurrencyNewTimeshar(this.extend(request, this.omit(params, 'until')));
    const data = this.safeList(response, 'data', []);
    return this.parseOHLCVs(data, market, timeframe, since, limit);
  }

  parseOHLCV(candle, _market = undefined) {
    return [
      this.safeInteger(candle, 'time'),
      this.safeNumber(candle, 'open'),
      this.safeNumber(candle, 'high'),
      this.safeNumber(candle, 'low'),
      this.safeNumber(candle, 'close'),
      this.safeNumber(candle, 'volume'),
    ];
  }

  spanOf(since, limit, params) {
    const request = { limit: limit === undefined ? 100 : Math.min(limit, 100) };
    if (since !== undefined) {
      request['from'] = since;
      request['order'] = 'asc';
    }
    const until = this.safeInteger(params, 'until');
    if (until !== undefined) {
      request['to'] = until;
    }
    return this.extend(request, this.omit(params, 'until'));
  }

  async fetchTrades(symbol, since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    const market = this.market(symbol);
    const request = this.extend(this.pairOf(market), this.spanOf(since, limit, params));
    const response = await this.publicGetMarketTrades(request);
    const message = this.safeDict(response, 'message', {});
    return this.parseTrades(this.safeList(message, 'list', []), market, since, limit);
  }

  parseTrade(trade, market = undefined) {
    const timestamp = this.safeInteger(trade, 'ts');
    const order = this.safeString(trade, 'order_id');
    const found = this.safeMarket(this.safeString(trade, 'symbol'), market);
    let side = this.safeString(trade, 'direction');
    let role = undefined;
    let fee = undefined;
    if (order !== undefined) {
      side = this.safeInteger(trade, 'type') === 1 ? 'buy' : 'sell';
      role = this.safeString(trade, 'role');
      fee = this.feeOf(trade);
    }
    return this.safeTrade(
      {
        id: this.safeString(trade, 'id'),
        info: trade,
        order: order,
        symbol: found['symbol'],
        timestamp: timestamp,
        datetime: this.iso8601(timestamp),
        type: undefined,
        side: side,
        takerOrMaker: role,
        price: this.safeString(trade, 'price'),
        amount: this.safeString2(trade, 'amount', 'number'),
        cost: this.safeString(trade, 'total'),
        fee: fee,
      },
      found,
    );
  }

  feeOf(row) {
    return {
      cost: this.safeNumber(row, 'fee'),
      currency: this.safeCurrencyCode(this.safeString(row, 'fee_currency')),
    };
  }

  async fetchBalance(params = {}) {
    await this.loadMarkets();
    this.checkParams('fetchBalance', params, ['type']);
    const accounts = {
      spot: 'change',
      funding: 'legal',
      margin: 'lever',
      change: 'change',
      legal: 'legal',
      lever: 'lever',
    };
    const type = this.safeString(params, 'type', 'spot');
    const name = this.safeString(accounts, type);
    if (name === undefined) {
      throw new NotSupported(this.id + ' has no account ' + type);
    }
    const response = await this.privateGetWalletList();
    const message = this.safeDict(response, 'message', {});
    const wallet = this.safeDict(message, name + '_wallet', {});
    const rows = this.safeList(wallet, 'balance', []);
    const result = { info: response };
    for (let i = 0; i < rows.length; i++) {
      const code = this.safeCurrencyCode(this.safeString(rows[i], 'currency_name'));
      const account = this.account();
      account['free'] = this.safeString(rows[i], name + '_balance');
      account['used'] = this.safeString(rows[i], 'lock_' + name + '_balance');
      result[code] = account;
    }
    return this.safeBalance(result);
  }

  async createOrder(symbol, type, side, amount, price = undefined, params = {}) {
    return await this.place('privatePostCoinTrade', symbol, type, side, amount, price, params);
  }

  async place(method, symbol, type, side, amount, price, params) {
    await this.loadMarkets();
    const market = this.market(symbol);
    if (type !== 'limit' && type !== 'market') {
      throw new InvalidOrder(this.id + ' has no orders of type ' + type);
    }
    // Any other text would be an order of the other side.
    if (side !== 'buy' && side !== 'sell') {
      throw new InvalidOrder(this.id + ' has no orders of side ' + side);
    }
    const trails = ['trailingPercent', 'trailingAmount', 'trailingTriggerPrice'];
    const stops = ['triggerPrice', 'stopPrice', 'stopLossPrice'];
    const flags = ['timeInForce', 'postOnly', 'clientOrderId', 'stp', 'triggerPriceType'];
    const known = this.arrayConcat(this.arrayConcat(trails, stops), flags);
    this.checkParams('createOrder', params, known);
    // A stop whose price is missing would be carried out at once.
    const prices = this.arrayConcat(trails, stops);
    for (let i = 0; i < prices.length; i++) {
      if (prices[i] in params && this.safeString(params, prices[i]) === undefined) {
        throw new ArgumentsRequired(this.id + ' needs a value of ' + prices[i]);
      }
    }
    let trigger = undefined;
    for (let i = 0; i < stops.length; i++) {
      if (stops[i] in params) {
        if (trigger !== undefined) {
          throw new InvalidOrder(this.id + ' takes one of ' + stops.join(', '));
        }
        trigger = this.safeString(params, stops[i]);
      }
    }
    const hasTrigger = trigger !== undefined;
    const isPostOnly = this.safeBool(params, 'postOnly');
    if (isPostOnly === undefined && this.safeValue(params, 'postOnly') !== undefined) {
      throw new BadRequest(this.id + ' takes postOnly as true or false');
    }
    const timeInForce = this.safeStringUpper(params, 'timeInForce');
    if (isPostOnly === false && timeInForce === 'PO') {
      throw new InvalidOrder(this.id + ' cannot place a PO order that is not post-only');
    }
    const trailPercent = this.safeString(params, 'trailingPercent');
    const trailAmount = this.safeString(params, 'trailingAmount');
    const activation = this.safeString(params, 'trailingTriggerPrice');
    const isTrailing = 'trailingPercent' in params || 'trailingAmount' in params || 'trailingTriggerPrice' in params;
    if (
      isTrailing &&
      (type !== 'market' || hasTrigger || (trailPercent === undefined) === (trailAmount === undefined))
    ) {
      throw new InvalidOrder(this.id + ' takes one of trailingPercent and trailingAmount, with a market order');
    }
    const triggerType = this.safeString(params, 'triggerPriceType');
    if (triggerType !== undefined) {
      if (triggerType !== 'last' && triggerType !== 'mark' && triggerType !== 'index') {
        throw new BadRequest(this.id + ' takes triggerPriceType as last, mark or index');
      }
      if (!hasTrigger) {
        throw new InvalidOrder(this.id + ' takes triggerPriceType with one of ' + stops.join(', '));
      }
    }
    const request = this.pairOf(market);
    request['type'] = side === 'buy' ? 1 : 2;
    request['order_type'] = hasTrigger ? 'stop_' + type : type;
    request['amount'] = this.amountToPrecision(symbol, amount);
    if (type === 'limit') {
      if (price === undefined) {
        throw new ArgumentsRequired(this.id + ' needs the price of a limit order');
      }
      request['target_price'] = this.priceToPrecision(symbol, price);
    }
    if (hasTrigger) {
      request['stop_price'] = this.priceToPrecision(symbol, trigger);
      // The mark is the index price: there is no other one.
      if (triggerType === 'mark' || triggerType === 'index') {
        request['trigger_by'] = 'mark';
      }
    }
    if (isTrailing) {
      request['order_type'] = 'trailing_stop';
      if (trailPercent !== undefined) {
        request['trail_percent'] = trailPercent;
      }
      if (trailAmount !== undefined) {
        request['trail_amount'] = this.priceToPrecision(symbol, trailAmount);
      }
      if (activation !== undefined) {
        request['activation_price'] = this.priceToPrecision(symbol, activation);
      }
    }
    if (isPostOnly === true || timeInForce === 'PO') {
      request['post_only'] = 1;
    }
    if (timeInForce !== undefined && timeInForce !== 'PO') {
      request['time_in_force'] = timeInForce;
    }
    const clientOrderId = this.safeString(params, 'clientOrderId');
    if (clientOrderId !== undefined) {
      request['client_order_id'] = clientOrderId;
    }
    const stp = this.safeString(params, 'stp');
    if (stp !== undefined) {
      request['stp'] = stp;
    }
    const response = await this.once(method, request, params);
    return this.parseOrder(this.safeDict(response, 'order', {}), market);
  }

  // A parameter is carried out, or the call is refused.
  checkParams(name, params, known) {
    const taken = this.arrayConcat(known, ['idempotencyKey']);
    const others = Object.keys(this.omit(params, taken));
    if (others.length > 0) {
      throw new NotSupported(this.id + ' ' + name + '() does not know ' + others.join(', '));
    }
    // ccxt reads an empty text as one that is not given.
    for (let i = 0; i < taken.length; i++) {
      if (taken[i] in params && params[taken[i]] === '') {
        throw new BadRequest(this.id + ' ' + name + '() takes no empty ' + taken[i]);
      }
    }
  }

  async editOrder(id, symbol, type, side, amount = undefined, price = undefined, params = {}) {
    return await this.amend('privatePutCoinOrder', id, symbol, type, amount, price, params);
  }

  async amend(method, id, symbol, type, amount, price, params) {
    await this.loadMarkets();
    const market = this.market(symbol);
    this.checkParams('editOrder', params, ['clientOrderId']);
    const request = this.named(id, params);
    if (amount === undefined && price === undefined) {
      throw new ArgumentsRequired(this.id + ' needs an amount or a price to change an order');
    }
    if (amount !== undefined) {
      request['amount'] = this.amountToPrecision(symbol, amount);
    }
    if (price !== undefined) {
      if (type === 'market') {
        throw new InvalidOrder(this.id + ' has no price to change of a market order');
      }
      request['target_price'] = this.priceToPrecision(symbol, price);
    }
    const response = await this.once(method, request, params);
    return this.parseOrder(this.safeDict(response, 'order', {}), market);
  }

  async cancelOrder(id, symbol = undefined, params = {}) {
    return await this.cancel('privatePutCoinTrade', id, symbol, params);
  }

  async cancel(method, id, symbol, params) {
    await this.loadMarkets();
    this.checkParams('cancelOrder', params, ['clientOrderId']);
    const response = await this.once(method, this.named(id, params), params);
    const market = symbol === undefined ? undefined : this.market(symbol);
    return this.parseOrder(this.safeDict(response, 'order', {}), market);
  }

  named(id, params) {
    const clientOrderId = this.safeString(params, 'clientOrderId');
    if (clientOrderId !== undefined) {
      return { client_order_id: clientOrderId };
    }
    if (id === undefined || id === '') {
      throw new ArgumentsRequired(this.id + ' needs the id of an order');
    }
    return { id: id };
  }

  async cancelAllOrders(symbol = undefined, params = {}) {
    return await this.cancelAll('privatePostCoinCancelAll', symbol, params);
  }

  async cancelAll(method, symbol, params) {
    await this.loadMarkets();
    this.checkParams('cancelAllOrders', params, ['side']);
    let request = {};
    let market = undefined;
    if (symbol !== undefined) {
      market = this.market(symbol);
      request = this.pairOf(market);
    }
    const side = this.safeString(params, 'side');
    if ('side' in params && side !== 'buy' && side !== 'sell') {
      throw new BadRequest(this.id + ' has the sides buy and sell');
    }
    if (side !== undefined) {
      request['type'] = side === 'buy' ? 1 : 2;
    }
    const response = await this.once(method, request, params);
    const ids = this.safeList(response, 'ids', []);
    const orders = [];
    for (let i = 0; i < ids.length; i++) {
      orders.push(this.safeOrder({ id: ids[i], symbol: symbol, status: 'canceled', info: response }, market));
    }
    return orders;
  }

  // Sends a command that is carried out once: until the final answer it is sent and signed again under the same key. It
  // is called by once() of bourse_ccxt/turns.py, in its turn.
  async sendUntilFinal(method, request, params) {
    const key = this.safeString(params, 'idempotencyKey', this.uuid());
    const command = this.extend(request, { idempotencyKey: key });
    const until = this.milliseconds() + this.safeInteger(this.options, 'outcomeMs', 30000);
    let pause = 250;
    let isLost = false;
    while (true) {
      try {
        return await this[method](command);
      } catch (e) {
        const text = this.exceptionMessage(e);
        const isLate = this.milliseconds() + pause > until;
        const isBusy = this.says(text, ['common.unavailable', 'common.tooMany']);
        if (isLost && (this.isUnread(text) || (isBusy && isLate))) {
          throw new RequestTimeout(this.id + ' does not know the outcome of ' + key);
        }
        const isFinal = this.says(text, ['common.expired', 'apikey.signature']);
        if (!(e instanceof NetworkError) || isFinal || isLate) {
          throw e;
        }
        isLost = isLost || !isBusy;
      }
      await this.sleep(pause);
      pause = Math.min(pause * 2, 2000);
    }
  }

  // Refusals by token and gates are kept under no Idempotency-Key (docs/contract/api.md, api §6.8), nor is that of a
  // pause: they do not say what became of an attempt whose answer was lost.
  isUnread(text) {
    return this.says(text, [
      'apikey.signature',
      'auth.expired',
      'auth.frozen',
      'common.forbidden',
      'common.noPermission',
      'fund.mustReset',
      'fund.notSet',
      'kyc.required',
      'market.paused',
      'noopen',
      'pay.missing',
    ]);
  }

  says(text, keys) {
    for (let i = 0; i < keys.length; i++) {
      if (text.indexOf('"' + keys[i] + '"') >= 0) {
        return true;
      }
    }
    return false;
  }

  async fetchOrder(id, symbol = undefined, params = {}) {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const response = await this.privateGetCoinOrder(this.named(id, params));
    const order = this.safeDict(response, 'message', {});
    if (market !== undefined && this.safeString(order, 'symbol') !== market['id']) {
      throw new OrderNotFound(this.id + ' has no order ' + id + ' of ' + symbol);
    }
    return this.parseOrder(order, market);
  }

  async fetchOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return await this.listOrders({}, symbol, since, limit, params);
  }

  async fetchOpenOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return await this.listOrders({ status: 1 }, symbol, since, limit, params);
  }

  async fetchClosedOrders(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return await this.listOrders({ status: 2 }, symbol, since, limit, params);
  }

  async listOrders(filter, symbol, since, limit, params) {
    await this.loadMarkets();
    let market = undefined;
    let request = this.extend(filter, this.spanOf(since, limit, params));
    if (symbol !== undefined) {
      market = this.market(symbol);
      request = this.extend(request, { currency: market['baseId'], legal_id: market['quoteId'] });
    }
    // Without a limit all open orders are read.
    const wanted = limit === undefined && 'status' in filter && filter['status'] === 1 ? 100000 : 100;
    const rows = await this.pages('privateGetCoinList', request, limit === undefined ? wanted : limit);
    return this.parseOrders(rows, market, since, limit);
  }

  // Rows of a list, page by page, each once. A list that became shorter meanwhile is read again: a row may have moved
  // to a page that was read already.
  async pages(method, request, wanted) {
    let rows = [];
    for (let turn = 0; turn < 3; turn++) {
      const known = {};
      rows = [];
      let page = 1;
      let total = 0;
      let hasMore = true;
      let isMoved = false;
      while (hasMore && rows.length < wanted) {
        const response = await this[method](this.extend(request, { page: page }));
        const message = this.safeDict(response, 'message', {});
        const data = this.safeList(message, 'data', []);
        for (let i = 0; i < data.length; i++) {
          const id = this.safeString(data[i], 'id');
          if (!(id in known)) {
            known[id] = true;
            rows.push(data[i]);
          }
        }
        const count = this.safeInteger(message, 'total', 0);
        isMoved = isMoved || count < total;
        total = count;
        hasMore = this.safeInteger(message, 'has_more') === 1;
        page = this.sum(page, 1);
      }
      if (!isMoved) {
        return rows;
      }
    }
    return rows;
  }

  async fetchMyTrades(symbol = undefined, since = undefined, limit = undefined, params = {}) {
    await this.loadMarkets();
    let market = undefined;
    let request = this.spanOf(since, limit, params);
    if (symbol !== undefined) {
      market = this.market(symbol);
      request = this.extend(request, this.pairOf(market));
    }
    const rows = await this.pages('privateGetCoinFills', request, limit === undefined ? 100 : limit);
    return this.parseTrades(rows, market, since, limit);
  }

  async fetchOrderTrades(id, symbol = undefined, since = undefined, limit = undefined, params = {}) {
    return await this.fetchMyTrades(symbol, since, limit, this.extend(params, { order_id: id }));
  }

  parseOrder(order, market = undefined) {
    const timestamp = this.safeInteger(order, 'ts');
    const found = this.safeMarket(this.safeString(order, 'symbol'), market);
    const type = this.safeString(order, 'order_type', 'limit');
    const isMarket = type === 'market' || type === 'stop_market' || type === 'trailing_stop';
    const trigger = this.omitZero(this.safeString(order, 'stop_price'));
    const isPostOnly = this.safeInteger(order, 'post_only') === 1;
    let status = 'open';
    if (this.safeInteger(order, 'status') !== 1) {
      status = this.safeInteger(order, 'cancelled') === 1 ? 'canceled' : 'closed';
    }
    const name = this.safeString(order, 'client_order_id', '');
    return this.safeOrder(
      {
        id: this.safeString(order, 'id'),
        clientOrderId: name === '' ? undefined : name,
        info: order,
        symbol: found['symbol'],
        timestamp: timestamp,
        datetime: this.iso8601(timestamp),
        lastUpdateTimestamp: this.safeInteger(order, 'updated_ts'),
        type: isMarket ? 'market' : 'limit',
        side: this.safeInteger(order, 'type') === 1 ? 'buy' : 'sell',
        timeInForce: isPostOnly ? 'PO' : this.safeString(order, 'time_in_force'),
        postOnly: isPostOnly,
        price: isMarket ? undefined : this.safeString(order, 'target_price'),
        triggerPrice: trigger,
        stopLossPrice: trigger,
        amount: this.safeString(order, 'trade_amount'),
        filled: this.safeString(order, 'filled_amount'),
        average: this.omitZero(this.safeString(order, 'trade_price')),
        status: status,
        fee: this.feeOf(order),
      },
      found,
    );
  }

  nonce() {
    return this.milliseconds();
  }

  sign(path, api = 'public', method = 'GET', params = {}, headers = undefined, body = undefined) {
    const key = this.safeString(params, 'idempotencyKey');
    const encoded = this.urlencode(this.omit(params, 'idempotencyKey'));
    let target = '/api/' + path;
    const sent = {};
    if (method === 'GET') {
      if (encoded !== '') {
        target = target + '?' + encoded;
      }
    } else {
      body = encoded;
      sent['Content-Type'] = 'application/x-www-form-urlencoded';
    }
    if (key !== undefined) {
      sent['Idempotency-Key'] = key;
    }
    if (api === 'private') {
      this.checkRequiredCredentials();
      const timestamp = this.nonce().toString();
      const content = body === undefined ? '' : body;
      const digest = this.hash(this.encode(content), sha256, 'hex');
      const lines = [method, target, timestamp, digest].join('\n');
      sent['X-Api-Key'] = this.apiKey;
      sent['X-Api-Timestamp'] = timestamp;
      sent['X-Api-Signature'] = this.hmac(this.encode(lines), this.encode(this.secret), sha256, 'hex');
    }
    const url = this.implodeHostname(this.urls['api'][api]) + target;
    return { url: url, method: method, body: body, headers: sent };
  }

  handleErrors(code, reason, url, method, headers, body, response, _requestHeaders, _requestBody) {
    if (response === undefined) {
      return undefined;
    }
    const feedback = this.id + ' ' + body;
    // The order with this name belongs to another call, whatever its terms are.
    if (this.safeInteger(response, 'repeated') === 1) {
      throw new DuplicateOrderId(feedback);
    }
    const type = this.safeString(response, 'type');
    if (type === undefined || type === 'ok') {
      return undefined;
    }
    const key = this.safeString(response, 'key');
    const params = this.safeDict(response, 'params', {});
    const why = this.safeString(params, 'reason');
    if (key === 'apikey.signature' && (why === 'time' || why === 'replay')) {
      throw new InvalidNonce(feedback);
    }
    this.throwExactlyMatchedException(this.exceptions['exact'], key, feedback);
    if (code >= 500) {
      throw new ExchangeNotAvailable(feedback);
    }
    throw new ExchangeError(feedback);
  }
}
