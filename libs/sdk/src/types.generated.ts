// Made by `npm run api` from the calls that the exchange serves: not edited by hand.
import type { Calls } from '@bourse/contract/calls';

/** Messages of the socket. */
export interface Messages {
  daymarket: {
    symbol: string;
    legal_id: number;
    currency_id: number;
    ts: number;
    seq: number;
    prev_seq: number;
    legal_name: string;
    currency_name: string;
    change: string;
    now_price: string;
    volume: string;
    high: string;
    low: string;
  };
  market_depth:
    | {
        symbol: string;
        legal_id: number;
        currency_id: number;
        ts: number;
        seq: number;
        prev_seq: number;
        last_price: string;
        proportion: string;
        yesterday: string;
        today: string;
        checksum: number;
        kind: 'full';
        bids: { price: string; number: string }[];
        asks: { price: string; number: string }[];
      }
    | {
        symbol: string;
        legal_id: number;
        currency_id: number;
        ts: number;
        seq: number;
        prev_seq: number;
        last_price: string;
        proportion: string;
        yesterday: string;
        today: string;
        checksum: number;
        kind: 'snapshot' | 'diff';
        b: string[];
        a: string[];
      };
  kline: {
    symbol: string;
    legal_id: number;
    currency_id: number;
    ts: number;
    seq: number;
    prev_seq: number;
    period: '1min' | '5min' | '15min' | '30min' | '60min' | '1day' | '1week' | '1mon';
    time: number;
    open: number;
    high: number;
    low: number;
    close: number;
    volume: number;
    final: 0 | 1;
  };
  match_trade: {
    symbol: string;
    legal_id: number;
    currency_id: number;
    ts: number;
    seq: number;
    prev_seq: number;
    id: string;
    price: string;
    amount: string;
    direction: 'buy' | 'sell';
    house: 0 | 1;
  };
  transaction: {
    symbol: string;
    legal_id: number;
    currency_id: number;
    ts: number;
    seq: number;
    prev_seq: number;
    legal_name: string;
    currency_name: string;
    id: string;
    price: string;
    number: string;
    total: string;
    direction: 'buy' | 'sell';
    type: 'in' | 'out';
    create_time: string;
  };
  order_update: {
    ts: number;
    user_seq: number;
    order: {
      id: string;
      client_order_id: string;
      created_at: string;
      updated_at: string;
      ts: number;
      updated_ts: number;
      symbol: string;
      legal_id: number;
      currency_id: number;
      legal_name: string;
      currency_name: string;
      type: 1 | 2;
      order_type: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
      time_in_force: 'GTC' | 'IOC' | 'FOK';
      post_only: 0 | 1;
      stop_price: string;
      triggered: 0 | 1;
      status: 1 | 2;
      cancelled: 0 | 1;
      cancel_reason: '' | 'user' | 'ioc' | 'fok' | 'post_only' | 'stp' | 'market' | 'operator' | 'oco' | 'balance';
      trade_amount: string;
      filled_amount: string;
      target_price: string;
      trade_price: string;
      fee: string;
      fee_currency: string;
      link_id: string;
      parent_id: string;
      take_profit: string;
      stop_loss: string;
      trail_percent?: string;
      trail_amount?: string;
      activation_price?: string;
      trail_active?: 0 | 1;
      trigger_by?: 'last' | 'mark';
    };
    fill: {
      id: string;
      order_id: string;
      symbol: string;
      type: 1 | 2;
      price: string;
      number: string;
      total: string;
      fee: string;
      fee_currency: string;
      role: 'maker' | 'taker';
      create_time: string;
      ts: number;
    } | null;
  };
  balance_update: {
    ts: number;
    user_seq: number;
    balances: { currency: number; currency_name: string; account: string; balance: string; lock_balance: string }[];
    cause_type: string;
    cause_id: string;
  };
  notice: {
    ts: number;
    user_seq: number;
    id: number;
    lang: 'en' | 'tr' | 'th' | 'ar' | 'vi' | 'ko' | 'zh' | 'pt' | 'hk' | 'jp' | 'es' | 'de' | 'fr' | 'it' | 'sv' | 'cr';
    title: string;
    content: string;
    create_time: string;
    update_time: string;
    is_read: 0 | 1;
    kind: string;
  };
  lever_trade: {
    ts: number;
    user_seq: number;
    type: 'lever_trade';
    legal_id: number;
    trades_all: {
      id: string;
      part_of?: string;
      legal: string;
      currency: string;
      legal_id: number;
      currency_id: number;
      symbol: string;
      type: 1 | 2;
      status: 0 | 1 | 2 | 3 | 4;
      status_name: string;
      share: number;
      number: string;
      multiple: number;
      price: string;
      origin_price: string;
      update_price: string;
      caution_money: string;
      origin_caution_money: string;
      target_profit_price: string;
      stop_loss_price: string;
      profits: string;
      fund_paid: string;
      trade_fee: string;
      overnight: string;
      overnight_money: string;
      liquidation_price: string;
      closed_type: 0 | 1 | 2 | 3 | 4 | 5 | 6;
      time: string;
      create_time: string;
      ts: number;
      updated_ts: number;
      transaction_time: string;
      handle_time: string;
      client_id: string;
    }[];
    trades_entrust: {
      id: string;
      part_of?: string;
      legal: string;
      currency: string;
      legal_id: number;
      currency_id: number;
      symbol: string;
      type: 1 | 2;
      status: 0 | 1 | 2 | 3 | 4;
      status_name: string;
      share: number;
      number: string;
      multiple: number;
      price: string;
      origin_price: string;
      update_price: string;
      caution_money: string;
      origin_caution_money: string;
      target_profit_price: string;
      stop_loss_price: string;
      profits: string;
      fund_paid: string;
      trade_fee: string;
      overnight: string;
      overnight_money: string;
      liquidation_price: string;
      closed_type: 0 | 1 | 2 | 3 | 4 | 5 | 6;
      time: string;
      create_time: string;
      ts: number;
      updated_ts: number;
      transaction_time: string;
      handle_time: string;
      client_id: string;
    }[];
    hazard_rate: string;
    profits_all: string;
    profits: string;
  };
  lever_closed: {
    ts: number;
    user_seq: number;
    type: 'lever_closed';
    ids: string[];
    legal_id: number;
    closed_type: 1 | 2 | 3 | 4 | 5 | 6;
  };
  micro_closed: {
    ts: number;
    user_seq: number;
    id: string;
    match_id: number;
    symbol_name: string;
    currency_id: number;
    currency_name: string;
    type: 1 | 2;
    seconds: number;
    number: string;
    fee: string;
    profit_ratio: string;
    open_price: string;
    end_price: string;
    status: 1 | 3;
    result: '' | 'win' | 'loss' | 'tie' | 'void';
    fact_profits: string;
    remain_milli_seconds: number;
    insured: 0 | 1;
    create_time: string;
    open_time: string;
    expire_time: string;
    handle_time: string;
    updated_ts: number;
  };
  c2c_update: {
    ts: number;
    user_seq: number;
    deal: {
      id: string;
      ad_id: number;
      kind: 'c2c' | 'shop';
      type: 'buy' | 'sell';
      role: 'buyer' | 'seller';
      currency_id: number;
      currency_name: string;
      number: string;
      price: string;
      deal_money: string;
      coin_code: 'CNY' | 'USD' | 'JPY';
      out_fee: string;
      way: 'ali_pay' | 'we_chat' | 'bank';
      way_name: string;
      is_sure: 0 | 1 | 2 | 3;
      appeal: 0 | 1 | 2 | 3;
      create_time: number;
      format_create_time: string;
      deadline: string;
      remain_seconds: number;
      seller_name: string;
      account_number: string;
      seller_phone: string;
      phone: string;
      hes_realname: string;
      sell_cash_info: {
        real_name: string;
        bank_name: string;
        bank_account: string;
        alipay_account: string;
        alipay_collect: string;
        wechat_account: string;
        wechat_nickname: string;
        wechat_collect: string;
      } | null;
      user_cash_info: {
        real_name: string;
        bank_name: string;
        bank_account: string;
        alipay_account: string;
        alipay_collect: string;
        wechat_account: string;
        wechat_nickname: string;
        wechat_collect: string;
      } | null;
      next: string;
      can: ('pay' | 'cancel' | 'confirm' | 'appeal' | 'appeal_cancel')[];
      unread: number;
      proof: string;
      partner?: { deals: number; done_rate: string; release_seconds: number };
    };
  };
  c2c_chat: {
    ts: number;
    user_seq: number;
    deal_id: string;
    line: {
      id: number;
      from: 'buyer' | 'seller' | 'support' | 'system';
      text: string;
      image: string;
      create_time: string;
    };
  };
  heartbeat: { ts: number; user_seq: number };
  session_closed: { reason: string };
  server_closing: { reconnect_ms: number };
  login: number | string | { user_id: number | string };
  subscribe:
    | {
        channel: 'daymarket' | 'depth' | 'trades' | 'kline' | 'transaction';
        symbol?: string;
        interval?: string;
        seq?: number;
      }
    | {
        channels: {
          channel: 'daymarket' | 'depth' | 'trades' | 'kline' | 'transaction';
          symbol?: string;
          interval?: string;
          seq?: number;
        }[];
      };
  unsubscribe: { channel?: string; symbol?: string; interval?: string };
  'order.place': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  'order.amend': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  'order.cancel': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  'order.cancelAll': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  'order.get': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  'stream.since': { id?: string | number; key?: string; params?: Record<string, string | number | boolean> };
  login_ack:
    | { type: '999' | 'ok'; user_seq?: number }
    | { type: 'error'; key: string; field?: string; params?: { retry_ms?: number } };
  subscribe_ack:
    | { channel: string; symbol: string; interval: string; seq: number; snapshot: unknown; type: 'ok' }
    | {
        ok: { channel: string; symbol: string; interval: string; seq: number; snapshot: unknown }[];
        refused: { channel: string; symbol: string; interval: string; key: string }[];
      }
    | { type: 'error'; key: string; field?: string; params?: { retry_ms?: number } };
  unsubscribe_ack: { type: 'ok' } | { type: 'error'; key: string; field?: string; params?: { retry_ms?: number } };
  'order.place_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
  'order.amend_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
  'order.cancel_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
  'order.cancelAll_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
  'order.get_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
  'stream.since_ack':
    | { id: (string | number) | null; status: number; answer: { type: string; key?: string } }
    | {
        id: (string | number) | null;
        type: 'error';
        key: string;
        field?: string;
        params?: Record<string, string | number>;
      };
}

/** Names of the fields that each call takes. */
export const FIELDS: Readonly<Record<keyof Calls, readonly string[]>> = {
  'POST /api/Independent/points': [
    'user_string',
    'password',
    'area_code',
    'country_code',
    'sms_code',
    'totp_code',
    'passkey',
  ],
  'GET /api/acceptor/account': [],
  'POST /api/acceptor/confirm': ['id', 'password'],
  'POST /api/acceptor/deal': [
    'mobile',
    'deal_account',
    'money',
    'way',
    'type',
    'acceptor_id',
    'receive_money',
    'password',
    'address',
  ],
  'POST /api/acceptor/fund': ['direction', 'number', 'password'],
  'GET /api/acceptor/info': ['id', 'address'],
  'GET /api/acceptor/list': [],
  'GET /api/acceptor/my_deal': ['page', 'limit', 'page_size', 'way', 'type', 'address'],
  'GET /api/acceptor/orders': ['page', 'limit', 'page_size', 'is_sure', 'type'],
  'POST /api/acceptor/payment': [
    'wechat_nickname',
    'wechat_account',
    'ali_nickname',
    'ali_account',
    'bank_name',
    'bank_account',
    'bank_address',
    'password',
  ],
  'POST /api/acceptor/rates': ['recharge_rate', 'cash_rate', 'password'],
  'POST /api/acceptor/reject': ['id', 'reason', 'password'],
  'POST /api/acceptor/transferred': ['id', 'proof_pic', 'password'],
  'POST /api/acceptor/user_cancel': ['id'],
  'POST /api/acceptor/user_confirm': ['id'],
  'POST /api/acceptor/user_object': ['id', 'reason', 'pic'],
  'POST /api/account/list': ['page', 'limit', 'page_size'],
  'GET /api/apikey': [],
  'POST /api/apikey': ['label', 'permissions', 'ips', 'password'],
  'DELETE /api/apikey': ['key', 'password'],
  'GET /api/asyncapi.json': [],
  'GET /api/c2c/appeal': ['id'],
  'POST /api/c2c/appeal': ['id', 'reason', 'evidence'],
  'POST /api/c2c/appeal_cancel': ['id'],
  'POST /api/c2c/appeal_evidence': ['id', 'text', 'url'],
  'POST /api/c2c/back_send': ['id', 'password'],
  'GET /api/c2c/chat': ['id', 'after', 'page', 'limit', 'page_size'],
  'POST /api/c2c/chat': ['id', 'text', 'image'],
  'POST /api/c2c/do_legal_deal': ['id', 'number', 'password'],
  'POST /api/c2c/legal_deal_sure': ['id', 'password'],
  'POST /api/c2c/legal_deal_user_sure': ['id', 'password'],
  'GET /api/c2c/legal_send_deal_list': ['page', 'limit', 'page_size', 'id'],
  'GET /api/c2c/seller_trade': ['type', 'page', 'limit', 'page_size', 'currency_id'],
  'GET /api/c2c/transcript': ['id'],
  'GET /api/c2c/transcript_keys': [],
  'POST /api/c2c/user_legal_pay': ['id', 'proof', 'password'],
  'POST /api/c2c/user_legal_pay_cancel': ['id', 'password'],
  'GET /api/c2c_deal': ['id'],
  'GET /api/c2c_deal_platform': ['type', 'page', 'limit', 'page_size', 'currency_id', 'coin_code', 'way', 'money'],
  'GET /api/c2c_seller_deal': ['currency_id', 'page', 'limit', 'page_size', 'type', 'is_sure'],
  'POST /api/c2c_send': [
    'total_number',
    'price',
    'way',
    'coin_code',
    'type',
    'currency_id',
    'limit_minutes',
    'min_number',
    'max_number',
    'password',
  ],
  'GET /api/c2c_user_deal': ['page', 'limit', 'page_size', 'is_sure'],
  'POST /api/coin/batch': ['items'],
  'POST /api/coin/cancel': ['ids', 'client_order_ids'],
  'POST /api/coin/cancel_all': ['legal_id', 'currency_id', 'type'],
  'GET /api/coin/export': ['kind', 'legal_id', 'currency_id', 'status', 'from', 'to'],
  'GET /api/coin/fills': ['page', 'limit', 'page_size', 'order_id', 'currency_id', 'legal_id', 'from', 'to', 'order'],
  'GET /api/coin/list': ['page', 'limit', 'page_size', 'currency', 'legal_id', 'status', 'from', 'to', 'order'],
  'POST /api/coin/oco': [
    'legal_id',
    'currency_id',
    'type',
    'target_price',
    'amount',
    'stop_price',
    'stop_limit_price',
    'trigger_by',
    'post_only',
    'stp',
    'client_order_id',
  ],
  'GET /api/coin/order': ['id', 'client_order_id'],
  'PUT /api/coin/order': ['id', 'client_order_id', 'target_price', 'amount'],
  'POST /api/coin/trade': [
    'legal_id',
    'currency_id',
    'order_type',
    'target_price',
    'amount',
    'time_in_force',
    'post_only',
    'stp',
    'client_order_id',
    'stop_price',
    'trigger_by',
    'take_profit',
    'stop_loss',
    'trail_percent',
    'trail_amount',
    'activation_price',
    'type',
  ],
  'PUT /api/coin/trade': ['id', 'client_order_id'],
  'GET /api/command': ['key'],
  'POST /api/complaint/add': ['kind', 'subject', 'text', 'about', 'images'],
  'POST /api/complaint/close': ['id'],
  'GET /api/complaint/detail': ['id'],
  'GET /api/complaint/list': ['page', 'limit', 'page_size'],
  'POST /api/complaint/reply': ['id', 'text', 'images'],
  'GET /api/config': [],
  'GET /api/country/list': [],
  'POST /api/currency/deposit/cancel': ['id', 'password'],
  'GET /api/currency/deposit/config': ['currency_id'],
  'GET /api/currency/deposit/lhDepositOrderList': ['page', 'limit', 'page_size', 'status'],
  'GET /api/currency/detail': ['id'],
  'POST /api/currency/lhDeposit': ['amount', 'password', 'config_id', 'currency_id'],
  'GET /api/currency/lhDepositLists': [],
  'GET /api/currency/list': [],
  'GET /api/currency/new_timeshar': ['symbol', 'period', 'from', 'to'],
  'GET /api/currency/quotation_new': [],
  'GET /api/currency/user_currency_list': [],
  'POST /api/getNode': ['user_id', 'after'],
  'POST /api/insurance/buy': ['amount', 'password', 'type_id'],
  'POST /api/insurance/cancel': ['id', 'password'],
  'POST /api/insurance/claim': ['id'],
  'GET /api/insurance/claims': ['page', 'limit', 'page_size', 'currency_id'],
  'GET /api/insurance/my': ['page', 'limit', 'page_size', 'currency_id'],
  'GET /api/insurance/types': ['currency_id'],
  'GET /api/jc/bind': [],
  'POST /api/jc/bind': ['user_name', 'password'],
  'GET /api/jc/exchange': ['page', 'limit', 'page_size'],
  'POST /api/jc/exchange': ['use_number', 'password'],
  'GET /api/jc/info': [],
  'GET /api/legal/ads': ['type', 'currency_id', 'coin_code', 'way', 'money', 'page', 'limit', 'page_size'],
  'POST /api/legal/back_send': ['id', 'password'],
  'POST /api/legal/do_deal': ['id', 'number', 'money', 'password'],
  'POST /api/legal/merchant_transfer': ['shop_id', 'number', 'direction', 'password'],
  'GET /api/legal/my_ads': ['shop_id', 'type', 'page', 'limit', 'page_size'],
  'GET /api/legal/my_deals': ['shop_id', 'type', 'is_sure', 'page', 'limit', 'page_size'],
  'GET /api/legal/my_shops': [],
  'POST /api/legal/send': [
    'shop_id',
    'total_number',
    'min_number',
    'max_number',
    'price',
    'way',
    'coin_code',
    'type',
    'limit_minutes',
    'password',
  ],
  'GET /api/legal/shop': ['id'],
  'POST /api/legal/shop_apply': ['name', 'currency_id', 'level', 'password'],
  'POST /api/legal/shop_close': ['shop_id', 'password'],
  'GET /api/legal/terms': [],
  'POST /api/lever/batch_close': ['type', 'legal_id', 'currency_id', 'cover'],
  'POST /api/lever/cancel': ['id'],
  'POST /api/lever/close': ['id', 'cover', 'share'],
  'POST /api/lever/deal': ['legal_id', 'currency_id'],
  'POST /api/lever/dealall': ['page', 'limit', 'page_size', 'legal_id', 'currency_id'],
  'GET /api/lever/export': ['legal_id', 'currency_id', 'from', 'to'],
  'POST /api/lever/my_trade': ['page', 'limit', 'page_size', 'status', 'legal_id', 'currency_id'],
  'GET /api/lever/order': ['id', 'client_id'],
  'POST /api/lever/preview': [
    'legal_id',
    'currency_id',
    'type',
    'status',
    'multiple',
    'target_price',
    'share',
    'target_profit_price',
    'stop_loss_price',
    'client_id',
  ],
  'POST /api/lever/setstop': ['id', 'target_profit_price', 'stop_loss_price'],
  'POST /api/lever/submit': [
    'legal_id',
    'currency_id',
    'type',
    'status',
    'multiple',
    'target_price',
    'share',
    'target_profit_price',
    'stop_loss_price',
    'client_id',
  ],
  'POST /api/market/get_current': ['base_currency', 'quote_currency', 'period'],
  'GET /api/market/rates': [],
  'GET /api/market/tick_keys': [],
  'GET /api/market/ticks/day': ['match_id', 'day'],
  'GET /api/market/trades': ['legal_id', 'currency_id', 'before', 'limit', 'from', 'to', 'order'],
  'GET /api/microtrade/lists': ['page', 'limit', 'page_size', 'status', 'match_id'],
  'GET /api/microtrade/payable_currencies': [],
  'GET /api/microtrade/receipt': ['id'],
  'GET /api/microtrade/seconds': [],
  'POST /api/microtrade/submit': ['number', 'match_id', 'currency_id', 'type', 'seconds', 'client_id'],
  'GET /api/microtrade/ticks': ['match_id', 'from', 'to'],
  'GET /api/money/rechange': [],
  'POST /api/news/detail': ['id'],
  'POST /api/news/list': ['c_id', 'page', 'limit', 'page_size'],
  'POST /api/notice/detail': ['id'],
  'POST /api/notice/list': ['page', 'limit', 'page_size'],
  'GET /api/openapi.json': [],
  'GET /api/profits/show_profits': ['page', 'limit', 'page_size'],
  'POST /api/push/add': ['endpoint', 'p256dh', 'auth', 'label', 'trades', 'deals', 'account', 'alerts'],
  'POST /api/push/alerts': ['id', 'alerts'],
  'GET /api/push/devices': [],
  'POST /api/push/remove': ['id'],
  'POST /api/quotation': [],
  'GET /api/quotation_new': [],
  'POST /api/quotation_new': [],
  'POST /api/safe/anti_phishing': ['word'],
  'POST /api/safe/email': ['email', 'code'],
  'POST /api/safe/freeze': ['password'],
  'POST /api/safe/judge_password': [],
  'POST /api/safe/mobile': ['mobile', 'area_code', 'country_code', 'code'],
  'POST /api/safe/passkey_disable': ['id', 'password'],
  'POST /api/safe/passkey_enable': ['label', 'passkey'],
  'POST /api/safe/passkey_rename': ['id', 'label'],
  'POST /api/safe/passkey_setup': [],
  'GET /api/safe/passkeys': [],
  'POST /api/safe/totp_disable': ['totp_code', 'password'],
  'POST /api/safe/totp_enable': ['totp_code'],
  'POST /api/safe/totp_setup': [],
  'POST /api/safe/update_password': ['password', 're_password', 'code'],
  'POST /api/set/currency': ['currency'],
  'POST /api/set/lang': ['lang'],
  'POST /api/set/preferences': [
    'theme',
    'palette',
    'time_zone',
    'ask_order',
    'ask_position',
    'ask_close',
    'sound',
    'keys',
    'favourites',
    'spot_layout',
    'lever_layout',
  ],
  'POST /api/sms_mail': ['user_string', 'area_code', 'country_code', 'scene', 'type'],
  'POST /api/sms_send': ['user_string', 'area_code', 'country_code', 'scene', 'type'],
  'GET /api/solvency/latest': [],
  'GET /api/solvency/proof': ['currency', 'snapshot_id'],
  'GET /api/statement/check': [],
  'GET /api/statement/export': ['account', 'currency', 'from', 'to', 'cause_type', 'cause_id', 'format'],
  'GET /api/statement/journals': [
    'account',
    'currency',
    'from',
    'to',
    'cause_type',
    'cause_id',
    'holds',
    'page',
    'limit',
    'page_size',
  ],
  'GET /api/statement/list': [
    'account',
    'currency',
    'from',
    'to',
    'cause_type',
    'cause_id',
    'page',
    'limit',
    'page_size',
  ],
  'GET /api/status': [],
  'GET /api/stream/since': ['user_seq'],
  'GET /api/time': [],
  'POST /api/transaction/deal': ['legal_id', 'currency_id', 'depth'],
  'POST /api/transaction/in': [
    'legal_id',
    'currency_id',
    'order_type',
    'target_price',
    'amount',
    'time_in_force',
    'post_only',
    'stp',
    'client_order_id',
    'stop_price',
    'trigger_by',
    'take_profit',
    'stop_loss',
    'trail_percent',
    'trail_amount',
    'activation_price',
  ],
  'POST /api/transaction/out': [
    'legal_id',
    'currency_id',
    'order_type',
    'target_price',
    'amount',
    'time_in_force',
    'post_only',
    'stp',
    'client_order_id',
    'stop_price',
    'trigger_by',
    'take_profit',
    'stop_loss',
    'trail_percent',
    'trail_amount',
    'activation_price',
  ],
  'POST /api/transaction_complete': ['page', 'limit', 'page_size'],
  'POST /api/transaction_del': ['type', 'id'],
  'POST /api/transaction_in': ['page', 'limit', 'page_size', 'currency_id', 'legal_id'],
  'POST /api/transaction_out': ['page', 'limit', 'page_size', 'currency_id', 'legal_id'],
  'POST /api/upload': [],
  'GET /api/upload/{name}': ['name', 'e', 's'],
  'GET /api/user/authorization_code': [],
  'POST /api/user/cash_info': [],
  'POST /api/user/cash_save': [
    'real_name',
    'bank_name',
    'bank_account',
    'alipay_account',
    'wechat_account',
    'wechat_nickname',
    'alipay_collect',
    'wechat_collect',
    'password',
  ],
  'GET /api/user/center': [],
  'POST /api/user/check_email': ['user_string', 'area_code', 'country_code', 'scene', 'type', 'email_code', 'code'],
  'POST /api/user/check_mobile': ['user_string', 'area_code', 'country_code', 'scene', 'type', 'mobile_code', 'code'],
  'POST /api/user/confirm_password': ['password', 'totp_code', 'passkey'],
  'POST /api/user/device_login': [
    'user_string',
    'authorization_code',
    'area_code',
    'country_code',
    'totp_code',
    'passkey',
  ],
  'GET /api/user/fee_level': [],
  'POST /api/user/forget': ['account', 'code', 'password', 'area_code', 'country_code', 'repassword'],
  'GET /api/user/info': [],
  'POST /api/user/login': ['user_string', 'password', 'area_code', 'country_code', 'sms_code', 'totp_code', 'passkey'],
  'GET /api/user/logout': [],
  'POST /api/user/logout': [],
  'POST /api/user/passkey_login': ['passkey'],
  'POST /api/user/passkey_options': [],
  'POST /api/user/real_name': ['name', 'card_id', 'front_pic', 'reverse_pic', 'hand_pic'],
  'GET /api/user/region_users': ['page', 'limit', 'page_size'],
  'POST /api/user/register': [
    'type',
    'user_string',
    'area_code',
    'country_code',
    'code',
    'password',
    're_password',
    'extension_code',
    'nationality',
  ],
  'POST /api/user/session_revoke': ['id'],
  'GET /api/user/sessions': [],
  'POST /api/user/set_bank_account': ['real_name', 'bank_no', 'bank_name', 'region', 'phone'],
  'POST /api/wallet/change': ['number', 'currency_id', 'from_field', 'to_field', 'type'],
  'GET /api/wallet/charge_list': ['currency', 'page', 'limit', 'page_size'],
  'POST /api/wallet/charge_req': ['amount', 'currency', 'account'],
  'POST /api/wallet/deladdress': ['address_id'],
  'POST /api/wallet/deposit_return': ['id', 'address', 'password', 'totp_code'],
  'GET /api/wallet/deposits': ['currency', 'page', 'limit', 'page_size'],
  'POST /api/wallet/detail': ['currency'],
  'GET /api/wallet/equity': ['days'],
  'POST /api/wallet/get_address': ['currency'],
  'POST /api/wallet/get_in_address': ['currency', 'type'],
  'POST /api/wallet/get_info': ['currency'],
  'GET /api/wallet/holds': ['currency'],
  'GET /api/wallet/hzhistory': ['page', 'limit', 'page_size'],
  'POST /api/wallet/legal_log': ['type', 'currency', 'page', 'limit', 'page_size'],
  'GET /api/wallet/list': [],
  'POST /api/wallet/list': [],
  'POST /api/wallet/out': ['address', 'number', 'currency', 'type', 'memo', 'pay_password', 'totp_code'],
  'POST /api/wallet/out_cancel': ['id'],
  'GET /api/wallet/out_list': ['currency', 'page', 'limit', 'page_size'],
  'POST /api/wallet/sign_draw_address': ['address', 'coin_name', 'contract_address', 'memo', 'verification_code'],
  'GET /healthz': [],
  'GET /metrics': [],
  'GET /readyz': [],
  'POST /upi/usdt/account': ['pageSize', 'keywords'],
  'POST /walletMiddle/BindDrawAddress': ['data', 'signature'],
  'GET /walletMiddle/GetDrawAddress': ['user_id', 'coin_name', 'contract_address'],
  'GET /walletMiddle/SendVerificationcode': ['user_id'],
};

/** Calls that are carried out once under an Idempotency-Key. */
export const ONCE: readonly (keyof Calls)[] = [
  'POST /api/acceptor/confirm',
  'POST /api/acceptor/deal',
  'POST /api/acceptor/fund',
  'POST /api/acceptor/payment',
  'POST /api/acceptor/rates',
  'POST /api/acceptor/reject',
  'POST /api/acceptor/transferred',
  'POST /api/acceptor/user_cancel',
  'POST /api/acceptor/user_confirm',
  'POST /api/acceptor/user_object',
  'POST /api/c2c/appeal',
  'POST /api/c2c/back_send',
  'POST /api/c2c/do_legal_deal',
  'POST /api/c2c/legal_deal_sure',
  'POST /api/c2c/legal_deal_user_sure',
  'POST /api/c2c/user_legal_pay',
  'POST /api/c2c/user_legal_pay_cancel',
  'POST /api/c2c_send',
  'POST /api/coin/batch',
  'POST /api/coin/cancel',
  'POST /api/coin/cancel_all',
  'POST /api/coin/oco',
  'PUT /api/coin/order',
  'POST /api/coin/trade',
  'PUT /api/coin/trade',
  'POST /api/currency/deposit/cancel',
  'POST /api/currency/lhDeposit',
  'POST /api/insurance/buy',
  'POST /api/insurance/cancel',
  'POST /api/insurance/claim',
  'POST /api/jc/exchange',
  'POST /api/legal/back_send',
  'POST /api/legal/do_deal',
  'POST /api/legal/merchant_transfer',
  'POST /api/legal/send',
  'POST /api/legal/shop_apply',
  'POST /api/legal/shop_close',
  'POST /api/lever/batch_close',
  'POST /api/lever/cancel',
  'POST /api/lever/close',
  'POST /api/lever/setstop',
  'POST /api/lever/submit',
  'POST /api/microtrade/submit',
  'POST /api/transaction/in',
  'POST /api/transaction/out',
  'POST /api/transaction_del',
  'POST /api/wallet/change',
  'POST /api/wallet/deposit_return',
  'POST /api/wallet/out',
  'POST /api/wallet/out_cancel',
];
