// Made by `npm run api` from the calls that the exchange serves: not edited by hand.
import type { Schemas } from './calls.generated.js';

/** What answers to operators are made of, beside the public schemas. */
export interface OperatorSchemas {
  GetApiAdminAcceptor_dealsMessage: {
    data: {
      id: Schemas['OrderId'];
      type: 'buy' | 'sell';
      money: Schemas['DecimalText'];
      receive_money: Schemas['DecimalText'];
      deal_account: string;
      acceptor_name: string;
      hes_account: string;
      way: 'ali_pay' | 'we_chat' | 'bank';
      mobile: string;
      is_sure: 0 | 1 | 2;
      stage: 0 | 1 | 2;
      proof_pic: string;
      reason: string;
      object_until: string;
      disputed: Schemas['Flag'];
      auto_time: Schemas['TimeText'];
      remain_seconds: number;
      create_time: Schemas['TimeText'];
      update_time: Schemas['TimeText'];
      user_id: number;
      acceptor_user_id: number;
      objection_pic: string;
      objected: 0 | 1;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminAcceptorsMessage: Schemas['Acceptor'][];
  GetApiAdminAdjustmentsMessage: {
    data: {
      id: number;
      user_id: number;
      currency_id: number;
      account: string;
      amount: Schemas['DecimalText'];
      reason_code: string;
      note: string;
      state: 'waiting' | 'approved' | 'rejected';
      created_by: string;
      decided_by: string;
      create_time: Schemas['TimeText'];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminAppealsIdMessage: {
    id: Schemas['OrderId'];
    deal_id: Schemas['OrderId'];
    opened_by: 'buyer' | 'seller' | 'system';
    state: 0 | 1 | 2 | 3;
    reason: string;
    evidence: { by: string; url: string; text: string; time: Schemas['TimeText'] }[];
    timeline: { time: Schemas['TimeText']; text: string }[];
    decision_due: Schemas['TimeText'];
    decision: string;
    buyer_id: number;
    seller_id: number;
    is_sure: 0 | 1 | 2 | 3;
    currency_name: string;
    number: Schemas['DecimalText'];
    deal_money: Schemas['DecimalText'];
    coin_code: string;
    with_escrow: Schemas['Flag'];
    overdue: Schemas['Flag'];
    assigned_to: number;
    proposed_by: number;
    decided_by: number;
    proposed: '' | 'buyer' | 'seller';
    notes: { time: Schemas['TimeText']; operator_id: number; text: string }[];
    chat: Schemas['ChatLine'][];
  };
  GetApiAdminAppealsMessage: {
    data: {
      id: Schemas['OrderId'];
      deal_id: Schemas['OrderId'];
      opened_by: 'buyer' | 'seller' | 'system';
      state: 0 | 1 | 2 | 3;
      reason: string;
      evidence: { by: string; url: string; text: string; time: Schemas['TimeText'] }[];
      timeline: { time: Schemas['TimeText']; text: string }[];
      decision_due: Schemas['TimeText'];
      decision: string;
      buyer_id: number;
      seller_id: number;
      is_sure: 0 | 1 | 2 | 3;
      currency_name: string;
      number: Schemas['DecimalText'];
      deal_money: Schemas['DecimalText'];
      coin_code: string;
      with_escrow: Schemas['Flag'];
      overdue: Schemas['Flag'];
      assigned_to: number;
      proposed_by: number;
      decided_by: number;
      proposed: '' | 'buyer' | 'seller';
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminApprovalsMessage: {
    data: {
      id: number;
      call: string;
      target: string;
      reason: string;
      before: Record<string, unknown>;
      after: Record<string, unknown>;
      state: 'waiting' | 'approved' | 'rejected';
      created_by: string;
      decided_by: string;
      create_time: Schemas['TimeText'];
      in_force_at: Schemas['TimeText'];
      held: Schemas['Flag'];
      sent: Schemas['Flag'];
      sent_time: Schemas['TimeText'];
      sent_tries: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminAuditMessage: {
    data: {
      id: number;
      time: Schemas['TimeText'];
      operator: string;
      action: string;
      target: string;
      reason: string;
      before: string;
      after: string;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminC2c_adsMessage: { data: Schemas['Ad'][]; page: number; page_size: number; has_more: 0 | 1; total: number };
  GetApiAdminC2c_ordersMessage: {
    data: {
      id: Schemas['OrderId'];
      ad_id: number;
      kind: 'c2c' | 'shop';
      type: 'buy' | 'sell';
      role: 'buyer' | 'seller';
      currency_id: number;
      currency_name: string;
      number: Schemas['DecimalText'];
      price: Schemas['DecimalText'];
      deal_money: Schemas['DecimalText'];
      coin_code: 'CNY' | 'USD' | 'JPY';
      out_fee: Schemas['DecimalText'];
      way: 'ali_pay' | 'we_chat' | 'bank';
      way_name: string;
      is_sure: 0 | 1 | 2 | 3;
      appeal: 0 | 1 | 2 | 3;
      create_time: number;
      format_create_time: Schemas['TimeText'];
      deadline: Schemas['TimeText'];
      remain_seconds: number;
      seller_name: string;
      account_number: string;
      seller_phone: string;
      phone: string;
      hes_realname: string;
      sell_cash_info: Schemas['PaymentInfo'] | null;
      user_cash_info: Schemas['PaymentInfo'] | null;
      next: string;
      can: ('pay' | 'cancel' | 'confirm' | 'appeal' | 'appeal_cancel')[];
      unread: number;
      proof: string;
      partner?: { deals: number; done_rate: Schemas['DecimalText']; release_seconds: number };
      owner_id: number;
      taker_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminCatalogCountriesMessage: {
    id: number;
    area_code: string;
    name_cn: string;
    name_en: string;
    is_display: Schemas['Flag'];
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogCurrenciesMessage: {
    id: number;
    name: string;
    scale: number;
    is_legal: Schemas['Flag'];
    is_match: Schemas['Flag'];
    is_lever: Schemas['Flag'];
    is_micro: Schemas['Flag'];
    full_name: string;
    logo: string;
    publish_date: string;
    total_supply: string;
    circulation: string;
    website: string;
    explorer: string;
    white_paper: string;
    description: string;
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogDeposit_configsMessage: {
    id: number;
    currency_id: number;
    day: number;
    interest_rate: Schemas['DecimalText'];
    save_min: Schemas['DecimalText'];
    is_open: Schemas['Flag'];
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogInsurance_typesMessage: {
    id: number;
    currency_id: number;
    name: string;
    min_amount: Schemas['DecimalText'];
    max_amount: Schemas['DecimalText'];
    premium_rate: Schemas['DecimalText'];
    end_profit_rate: Schemas['DecimalText'];
    claim_loss_rate: Schemas['DecimalText'];
    claim_rate: Schemas['DecimalText'];
    claims_per_day: number;
    stake_rate: Schemas['DecimalText'];
    max_open: number;
    quota: Schemas['DecimalText'];
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogMicro_secondsMessage: {
    id: number;
    seconds: number;
    profit_ratio: Schemas['DecimalText'];
    min_money: Schemas['DecimalText'];
    max_money: Schemas['DecimalText'];
    is_open: Schemas['Flag'];
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogPairsMessage: {
    id: number;
    symbol: string;
    currency_id: number;
    legal_id: number;
    price_scale: number;
    number_scale: number;
    maker_fee: Schemas['DecimalText'];
    taker_fee: Schemas['DecimalText'];
    market_band: Schemas['DecimalText'];
    min_total: Schemas['DecimalText'];
    open_spot: Schemas['Flag'];
    open_lever: Schemas['Flag'];
    open_micro: Schemas['Flag'];
    is_display: Schemas['Flag'];
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCatalogProtocolsMessage: {
    id: number;
    currency_id: number;
    chain: 'bitcoin' | 'ethereum' | 'tron' | 'ripple' | 'litecoin' | 'dogecoin' | 'cardano';
    type: string;
    name: string;
    contract_address: string;
    is_memo: Schemas['Flag'];
    min_number: Schemas['DecimalText'];
    rate: Schemas['DecimalText'];
    min_deposit: Schemas['DecimalText'];
    confirmations: number;
    open_deposit: Schemas['Flag'];
    open_withdraw: Schemas['Flag'];
    note: string;
    guarded: Schemas['Flag'];
    guarded_fields: string[];
    pending: { value: Record<string, unknown>; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminCharge_reqsMessage: {
    data: {
      id: Schemas['OrderId'];
      currency: number;
      amount: Schemas['DecimalText'];
      account: string;
      status: 1 | 2 | 3 | 4;
      create_time: Schemas['TimeText'];
      user_id: number;
      deposit_id: string;
      reason: string;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminClaimsMessage: {
    data: {
      id: Schemas['OrderId'];
      insurance_id: Schemas['OrderId'];
      amount: Schemas['DecimalText'];
      status: 1 | 2;
      created_at: Schemas['TimeText'];
      paid_at: Schemas['TimeText'];
      user_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminComplaintsIdMessage: {
    id: number;
    kind: 'deposit' | 'withdrawal' | 'trade' | 'c2c' | 'account' | 'other';
    subject: string;
    about: string;
    state: 'open' | 'answered' | 'closed';
    create_time: Schemas['TimeText'];
    update_time: Schemas['TimeText'];
    unread: number;
    messages?: Schemas['ComplaintMessage'][];
    user_id: number;
    lang: string;
  };
  GetApiAdminComplaintsMessage: {
    data: OperatorSchemas['GetApiAdminComplaintsIdMessage'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminDashboardMessage: {
    time: Schemas['TimeText'];
    work: Record<string, number>;
    counts: Record<string, number>;
    volumes: { symbol: string; volume: Schemas['DecimalText']; now_price: Schemas['DecimalText'] }[];
    feed_age_ms: number;
    latency_ms: Record<string, { p50: number; p99: number }>;
    history: { time: Schemas['Millis']; calls: number; refused: number; failed: number; ack_p99_ms: number }[];
    alarms: string[];
    breakers: { scope: string; mode: string }[];
    missing: string[];
  };
  GetApiAdminDepositsMessage: {
    data: {
      id: Schemas['OrderId'];
      currency: number;
      currency_name: string;
      type: number;
      amount: Schemas['DecimalText'];
      tx_id: string;
      confirmations: number;
      needed: number;
      state: Schemas['DepositState'];
      create_time: Schemas['TimeText'];
      ts: Schemas['Millis'];
      updated_ts: Schemas['Millis'];
      user_id: number;
      chain: string;
      address: string;
      memo: string;
      contract_address: string;
      output: number;
      lost: Schemas['Flag'];
      return_address: string;
      return_fee: string;
      return_tx_id: string;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminHouseMessage: {
    account: string;
    currency: string;
    balance: Schemas['DecimalText'];
    held: Schemas['DecimalText'];
  }[];
  GetApiAdminHouseSumsMessage: {
    coins: {
      assets: Schemas['DecimalText'];
      liabilities: Schemas['DecimalText'];
      own: Schemas['DecimalText'];
      currency: string;
      people: Schemas['DecimalText'];
      suspense: Schemas['DecimalText'];
      difference: Schemas['DecimalText'];
      usd: { assets: Schemas['DecimalText']; liabilities: Schemas['DecimalText']; own: Schemas['DecimalText'] } | null;
    }[];
    usd: { assets: Schemas['DecimalText']; liabilities: Schemas['DecimalText']; own: Schemas['DecimalText'] };
    unpriced: string[];
  };
  GetApiAdminJournalsMessage: {
    data: {
      id: string;
      time: Schemas['TimeText'];
      cause_type: string;
      cause_id: string;
      legs: {
        owner: string;
        account: string;
        state: 'available' | 'held';
        currency: string;
        amount: Schemas['DecimalText'];
      }[];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminKycMessage: {
    data: {
      user_id: number;
      account_number: string;
      email: string;
      phone: string;
      nationality: string;
      name: string;
      card_id: string;
      same_card: number[];
      front_pic: string;
      reverse_pic: string;
      hand_pic: string;
      review_status: 0 | 1 | 2;
      review_reason: string;
      submitted_at: Schemas['TimeText'];
      decided_at: Schemas['TimeText'];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminMeId: number;
  GetApiAdminMeMessage: { id: number; username: string; roles: string[]; totp: Schemas['Flag'] };
  GetApiAdminMeRoles: string[];
  GetApiAdminNewsMessage: {
    data: {
      id: number;
      c_id: number;
      title: string;
      abstract: string;
      content: string;
      langs: (
        | 'en'
        | 'tr'
        | 'th'
        | 'ar'
        | 'vi'
        | 'ko'
        | 'zh'
        | 'pt'
        | 'hk'
        | 'jp'
        | 'es'
        | 'de'
        | 'fr'
        | 'it'
        | 'sv'
        | 'cr'
      )[];
      cover: string;
      link: string;
      pinned: Schemas['Flag'];
      sort: number;
      publish_time: Schemas['TimeText'];
      update_time: Schemas['TimeText'];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminOperatorsMessage: {
    id: number;
    username: string;
    roles: ('support' | 'finance' | 'admin')[];
    active: 0 | 1;
    totp: 0 | 1;
    created_at: Schemas['TimeText'];
    last_at: Schemas['TimeText'];
  }[];
  GetApiAdminOrdersLeverMessage: {
    data: {
      id: Schemas['OrderId'];
      part_of?: Schemas['OrderId'];
      legal: string;
      currency: string;
      legal_id: number;
      currency_id: number;
      symbol: string;
      type: 1 | 2;
      status: 0 | 1 | 2 | 3 | 4;
      status_name: string;
      share: number;
      number: Schemas['DecimalText'];
      multiple: number;
      price: Schemas['DecimalText'];
      origin_price: Schemas['DecimalText'];
      update_price: Schemas['DecimalText'];
      caution_money: Schemas['DecimalText'];
      origin_caution_money: Schemas['DecimalText'];
      target_profit_price: Schemas['DecimalText'];
      stop_loss_price: Schemas['DecimalText'];
      profits: Schemas['DecimalText'];
      fund_paid: Schemas['DecimalText'];
      trade_fee: Schemas['DecimalText'];
      overnight: Schemas['DecimalText'];
      overnight_money: Schemas['DecimalText'];
      liquidation_price: Schemas['DecimalText'];
      closed_type: 0 | 1 | 2 | 3 | 4 | 5 | 6;
      time: Schemas['TimeText'];
      create_time: Schemas['TimeText'];
      ts: Schemas['Millis'];
      updated_ts: Schemas['Millis'];
      transaction_time: Schemas['TimeText'];
      handle_time: Schemas['TimeText'];
      client_id: string;
      user_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminOrdersMicroMessage: {
    data: {
      id: Schemas['OrderId'];
      match_id: number;
      symbol_name: string;
      currency_id: number;
      currency_name: string;
      type: 1 | 2;
      seconds: number;
      number: Schemas['DecimalText'];
      fee: Schemas['DecimalText'];
      profit_ratio: Schemas['DecimalText'];
      open_price: Schemas['DecimalText'];
      end_price: Schemas['DecimalText'];
      status: 1 | 3;
      result: '' | 'win' | 'loss' | 'tie' | 'void';
      fact_profits: Schemas['DecimalText'];
      remain_milli_seconds: number;
      insured: Schemas['Flag'];
      create_time: Schemas['TimeText'];
      open_time: Schemas['TimeText'];
      expire_time: Schemas['TimeText'];
      handle_time: Schemas['TimeText'];
      ts: Schemas['Millis'];
      updated_ts: Schemas['Millis'];
      user_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminOrdersSpotMessage: {
    data: {
      id: Schemas['OrderId'];
      client_order_id: string;
      created_at: Schemas['TimeText'];
      updated_at: Schemas['TimeText'];
      ts: Schemas['Millis'];
      updated_ts: Schemas['Millis'];
      symbol: string;
      legal_id: number;
      currency_id: number;
      legal_name: string;
      currency_name: string;
      type: 1 | 2;
      order_type: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
      time_in_force: 'GTC' | 'IOC' | 'FOK';
      post_only: Schemas['Flag'];
      stop_price: Schemas['DecimalText'];
      triggered: Schemas['Flag'];
      status: 1 | 2;
      cancelled: Schemas['Flag'];
      cancel_reason: '' | 'user' | 'ioc' | 'fok' | 'post_only' | 'stp' | 'market' | 'operator' | 'oco' | 'balance';
      trade_amount: Schemas['DecimalText'];
      filled_amount: Schemas['DecimalText'];
      target_price: Schemas['DecimalText'];
      trade_price: Schemas['DecimalText'];
      fee: Schemas['DecimalText'];
      fee_currency: string;
      link_id: string;
      parent_id: string;
      take_profit: Schemas['DecimalText'];
      stop_loss: Schemas['DecimalText'];
      trail_percent?: Schemas['DecimalText'];
      trail_amount?: Schemas['DecimalText'];
      activation_price?: Schemas['DecimalText'];
      trail_active?: Schemas['Flag'];
      trigger_by?: 'last' | 'mark';
      user_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminPartitionsMessage: { partitions: number; markets: { symbol: string; partition: number }[] };
  GetApiAdminPeopleMessage: { id: number; account_number: string; name: string; email: string; phone: string }[];
  GetApiAdminReconciliationMessage: {
    ok: Schemas['Flag'];
    checked_at: Schemas['TimeText'];
    checks: { name: string; ok: Schemas['Flag']; detail: string }[];
    breakers: { scope: string; mode: string }[];
  };
  GetApiAdminSavingsMessage: {
    data: {
      id: Schemas['OrderId'];
      currency_id: number;
      currency_name: string;
      amount: Schemas['DecimalText'];
      day: number;
      total_rate: Schemas['DecimalText'];
      profit: Schemas['DecimalText'];
      accrued: Schemas['DecimalText'];
      cancel_rate: Schemas['DecimalText'];
      created_at: Schemas['TimeText'];
      start_at: Schemas['TimeText'];
      end_at: Schemas['TimeText'];
      status: 1 | 2 | 3;
      user_id: number;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminSearchMessage: {
    found: {
      kind: 'user' | 'withdrawal' | 'deposit' | 'order' | 'position' | 'contract' | 'deal' | 'appeal';
      id: string;
      user_id: number;
      title: string;
    }[];
    missing: string[];
  };
  GetApiAdminSettingsMessage: {
    key: string;
    owner: string;
    type: string;
    bounds: Record<string, unknown>;
    value: string;
    default: string;
    help: string;
    guarded: Schemas['Flag'];
    pending: { value: string; approval_id: number; in_force_at: Schemas['TimeText'] } | null;
  }[];
  GetApiAdminShopsMessage: {
    data: {
      id: number;
      name: string;
      currency_id: number;
      currency_name: string;
      level: 'verified' | 'advanced';
      status: 0 | 1 | 2 | 3;
      deals: number;
      done_rate: Schemas['DecimalText'];
      release_seconds: number;
      ads: number;
      user_id: number;
      account_number: string;
      deposit: Schemas['DecimalText'];
      create_time: Schemas['TimeText'];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminUsersIdMessage: {
    id: number;
    phone: string;
    email: string;
    area_code: string;
    area_code_id: number;
    extension_code: string;
    review_status: 0 | 1 | 2;
    account_number: string;
    is_seller: Schemas['Flag'];
    type: 0 | 1;
    nationality: string;
    lang: string;
    currency: '' | 'USD' | 'EUR' | 'CNY' | 'JPY' | 'GBP' | 'BRL' | 'TRY' | 'BTC';
    preferences: Schemas['Preferences'];
    is_acceptor: Schemas['Flag'];
    is_region: Schemas['Flag'];
    has_fund_password: Schemas['Flag'];
    totp: Schemas['Flag'];
    frozen: 'none' | 'all' | 'trade' | 'c2c' | 'withdraw';
    name: string;
    region: string;
    same_contact: number[];
    created_at: Schemas['TimeText'];
    review_reason: string;
    inviter_id: number;
    withdrawals_blocked_until: string;
    bank: { real_name: string; bank_no: string; bank_name: string; region: string; phone: string } | null;
    sessions: Schemas['SessionRow'][];
    balances: { currency: number; account: string; balance: string; lock_balance: string }[];
    holds: Schemas['HoldLine'][];
  };
  GetApiAdminUsersMessage: {
    data: {
      id: number;
      phone: string;
      email: string;
      area_code: string;
      area_code_id: number;
      extension_code: string;
      review_status: 0 | 1 | 2;
      account_number: string;
      is_seller: Schemas['Flag'];
      type: 0 | 1;
      nationality: string;
      lang: string;
      currency: '' | 'USD' | 'EUR' | 'CNY' | 'JPY' | 'GBP' | 'BRL' | 'TRY' | 'BTC';
      preferences: Schemas['Preferences'];
      is_acceptor: Schemas['Flag'];
      is_region: Schemas['Flag'];
      has_fund_password: Schemas['Flag'];
      totp: Schemas['Flag'];
      frozen: 'none' | 'all' | 'trade' | 'c2c' | 'withdraw';
      name: string;
      region: string;
      same_contact: number[];
      created_at: Schemas['TimeText'];
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAdminWithdrawalsMessage: {
    data: {
      id: Schemas['OrderId'];
      currency_id: number;
      currency_name: string;
      number: Schemas['DecimalText'];
      fee: Schemas['DecimalText'];
      received: Schemas['DecimalText'];
      address: string;
      memo: string;
      type: number;
      status: 1 | 2 | 3;
      state: Schemas['WithdrawalState'];
      tx_id: string;
      confirmations: number;
      reason: string;
      create_time: Schemas['TimeText'];
      update_time: Schemas['TimeText'];
      ts: Schemas['Millis'];
      updated_ts: Schemas['Millis'];
      user_id: number;
      network_name: string;
      value: Schemas['DecimalText'];
      approvals: number;
      approvals_needed: number;
      held: '' | 'frozen' | 'brake';
      risk: {
        hints: (
          | 'shared_address'
          | 'shared_identity'
          | 'new_device'
          | 'contact_changed'
          | 'first_withdrawal'
          | 'new_address'
          | 'fresh_deposit'
          | 'young_account'
        )[];
        earlier_withdrawals: number;
        earlier_to_address: number;
        address_shared_with: number[];
        address_bound_at: string;
        last_deposit_at: string;
        deposited_24h: Schemas['DecimalText'];
        registered_at: Schemas['TimeText'];
        new_device_at: string;
        contact_changed_at: string;
        identity_shared_with: number[];
      } | null;
    }[];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  PostApiAdminAcceptorsSaveApproval_id: number;
  PostApiAdminAdjustmentsCreateId: number;
  PostApiAdminApprovalsApproveIn_force_at: Schemas['TimeText'];
  PostApiAdminCatalogCountriesSaveApproval_id: number;
  PostApiAdminCatalogCurrenciesSaveApproval_id: number;
  PostApiAdminCatalogDeposit_configsSaveApproval_id: number;
  PostApiAdminCatalogInsurance_typesSaveApproval_id: number;
  PostApiAdminCatalogMicro_secondsSaveApproval_id: number;
  PostApiAdminCatalogPairsSaveApproval_id: number;
  PostApiAdminCatalogProtocolsSaveApproval_id: number;
  PostApiAdminCharge_reqsDecideApproval_id: number;
  PostApiAdminCharge_reqsDecideId: Schemas['OrderId'];
  PostApiAdminDepositsReturnApproval_id: number;
  PostApiAdminHouseFundId: number;
  PostApiAdminHouseFundState: string;
  PostApiAdminLoginId: number;
  PostApiAdminLoginMessage: string;
  PostApiAdminLoginRoles: string[];
  PostApiAdminNewsId: number;
  PostApiAdminNoticesApproval_id: number;
  PostApiAdminOperatorsApproval_id: number;
  PostApiAdminSettingsSaveApproval_id: number;
  PostApiAdminSolvencySnapshotMessage: { snapshot_id: number };
  PostApiAdminUploadMessage: string;
  PostApiAdminUsersResetApproval_id: number;
}

/** Every call of operators, with its fields and what it answers when it is accepted. */
export interface OperatorCalls {
  /** Deals with acceptors, the newest first */
  'GET /api/admin/acceptor_deals': {
    fields: { page?: number; limit?: number; page_size?: number; objected?: 0 | 1; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAcceptor_dealsMessage']; request_id: string };
  };
  /** Decide a deal with an objection */
  'POST /api/admin/acceptor_deals/decide': {
    fields: { id: string; outcome: 'confirm' | 'reject'; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.acceptorDecided';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** All acceptors */
  'GET /api/admin/acceptors': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAcceptorsMessage']; request_id: string };
  };
  /** Appoint an acceptor, or change the terms; granted cash waits for a second operator */
  'POST /api/admin/acceptors/save': {
    fields: {
      user_id: number;
      name: string;
      recharge_rate: string;
      cash_rate: string;
      cash_quota?: string;
      reason: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.acceptorSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminAcceptorsSaveApproval_id'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Adjustments and movements of the house */
  'GET /api/admin/adjustments': {
    fields: {
      state?: 'waiting' | 'approved' | 'rejected';
      user_id?: number;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAdjustmentsMessage']; request_id: string };
  };
  /** Approve and post an adjustment */
  'POST /api/admin/adjustments/approve': {
    fields: { id: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.adjustmentApproved'; request_id: string };
  };
  /** Request an adjustment of a balance */
  'POST /api/admin/adjustments/create': {
    fields: {
      user_id: number;
      currency_id: number;
      account: 'change' | 'legal' | 'lever' | 'micro';
      amount?: string;
      reason_code: string;
      note: string;
      reason: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.adjustmentCreated';
      id: OperatorSchemas['PostApiAdminAdjustmentsCreateId'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Refuse an adjustment */
  'POST /api/admin/adjustments/reject': {
    fields: { id: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.adjustmentRejected'; request_id: string };
  };
  /** List appeals: open ones oldest first, all newest first */
  'GET /api/admin/appeals': {
    fields: { state?: 0 | 1 | 2 | 3; user_id?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAppealsMessage']; request_id: string };
  };
  /** Take charge of an open appeal */
  'POST /api/admin/appeals/assign': {
    fields: { id: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.appealAssigned'; request_id: string };
  };
  /** Decide an appeal, or propose a decision where two operators must agree; both parties see the reason */
  'POST /api/admin/appeals/decide': {
    fields: { id: string; outcome: 'buyer' | 'seller'; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.appealDecided' | 'admin.secondNeeded';
      appeal: Schemas['Appeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Write a note for operators, or a message to both parties */
  'POST /api/admin/appeals/note': {
    fields: { id: string; text: string; shown?: 0 | 1; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.appealNoted'; request_id: string };
  };
  /** One appeal with the chat of its deal and the notes of operators */
  'GET /api/admin/appeals/{id}': {
    fields: { id: string };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAppealsIdMessage']; request_id: string };
  };
  /** List calls that wait for a second person, with their decisions */
  'GET /api/admin/approvals': {
    fields: { state?: 'waiting' | 'approved' | 'rejected'; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminApprovalsMessage']; request_id: string };
  };
  /** Approve a waiting call: it is executed now, a change of a guarded row one hour later */
  'POST /api/admin/approvals/approve': {
    fields: { id: number; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.approvalApproved' | 'admin.approvalHeld';
      in_force_at?: OperatorSchemas['PostApiAdminApprovalsApproveIn_force_at'];
      request_id: string;
    };
  };
  /** Refuse a waiting call, or withdraw an own one */
  'POST /api/admin/approvals/reject': {
    fields: { id: number; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.approvalRejected'; request_id: string };
  };
  /** List actions of operators, newest first */
  'GET /api/admin/audit': {
    fields: {
      operator?: string;
      action?: string;
      target?: string;
      user_id?: number;
      from?: string;
      to?: string;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminAuditMessage']; request_id: string };
  };
  /** Stop or open a market, a product, or everything */
  'POST /api/admin/breaker': {
    fields: { scope: string; mode: 'normal' | 'cancel_only' | 'halted'; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.breakerSet'; request_id: string };
  };
  /** Ads of all people */
  'GET /api/admin/c2c_ads': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      user_id?: number;
      kind?: 'c2c' | 'shop';
      type?: 'buy' | 'sell';
      currency_id?: number;
      status?: 1 | 2 | 3;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminC2c_adsMessage']; request_id: string };
  };
  /** Withdraw an ad; its deals continue */
  'POST /api/admin/c2c_ads/off': {
    fields: { id: number; reason: string };
    answer: { type: 'ok'; message: string; key: 'c2c.withdrawn'; request_id: string };
  };
  /** List deals of all people without personal data */
  'GET /api/admin/c2c_orders': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      id?: string;
      user_id?: number;
      ad_id?: number;
      kind?: 'c2c' | 'shop';
      type?: 'buy' | 'sell';
      currency_id?: number;
      is_sure?: '0' | '1' | '2' | '3' | '0|3';
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminC2c_ordersMessage']; request_id: string };
  };
  /** Get the signed transcript of a deal with its pictures */
  'GET /api/admin/c2c_orders/transcript': { fields: { id: string }; answer: Schemas['Refusal'] };
  /** List all countries, hidden ones included */
  'GET /api/admin/catalog/countries': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogCountriesMessage']; request_id: string };
  };
  /** Change a country; omitted fields stay as they are */
  'POST /api/admin/catalog/countries/save': {
    fields: { id: number; reason: string; area_code?: string; name_cn?: string; name_en?: string; is_display?: 0 | 1 };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogCountriesSaveApproval_id'];
      request_id: string;
    };
  };
  /** All currencies */
  'GET /api/admin/catalog/currencies': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogCurrenciesMessage']; request_id: string };
  };
  /** Change the public facts about a currency; omitted fields stay as they are */
  'POST /api/admin/catalog/currencies/save': {
    fields: {
      id: number;
      reason: string;
      full_name?: string;
      logo?: string;
      publish_date?: string;
      total_supply?: string;
      circulation?: string;
      website?: string;
      explorer?: string;
      white_paper?: string;
      description?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogCurrenciesSaveApproval_id'];
      request_id: string;
    };
  };
  /** Terms of savings */
  'GET /api/admin/catalog/deposit_configs': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogDeposit_configsMessage']; request_id: string };
  };
  /** Change the conditions of a term for future subscriptions; omitted fields stay as they are */
  'POST /api/admin/catalog/deposit_configs/save': {
    fields: { id: number; reason: string; interest_rate?: string; save_min?: string; is_open?: 0 | 1 };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogDeposit_configsSaveApproval_id'];
      request_id: string;
    };
  };
  /** Types of insurance */
  'GET /api/admin/catalog/insurance_types': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogInsurance_typesMessage']; request_id: string };
  };
  /** Change the terms of future policies; omitted fields stay as they are */
  'POST /api/admin/catalog/insurance_types/save': {
    fields: {
      id: number;
      reason: string;
      name?: string;
      min_amount?: string;
      max_amount?: string;
      premium_rate?: string;
      end_profit_rate?: string;
      claim_loss_rate?: string;
      claim_rate?: string;
      claims_per_day?: number;
      stake_rate?: string;
      max_open?: number;
      quota?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogInsurance_typesSaveApproval_id'];
      request_id: string;
    };
  };
  /** Durations of seconds contracts */
  'GET /api/admin/catalog/micro_seconds': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogMicro_secondsMessage']; request_id: string };
  };
  /** Change the conditions of a duration for future contracts; omitted fields stay as they are */
  'POST /api/admin/catalog/micro_seconds/save': {
    fields: {
      id: number;
      reason: string;
      profit_ratio?: string;
      min_money?: string;
      max_money?: string;
      is_open?: 0 | 1;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogMicro_secondsSaveApproval_id'];
      request_id: string;
    };
  };
  /** List all pairs, disabled ones included */
  'GET /api/admin/catalog/pairs': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogPairsMessage']; request_id: string };
  };
  /** Change fees, limits and state of a pair; omitted fields stay as they are */
  'POST /api/admin/catalog/pairs/save': {
    fields: {
      id: number;
      reason: string;
      maker_fee?: string;
      taker_fee?: string;
      market_band?: string;
      min_total?: string;
      open_spot?: 0 | 1;
      open_lever?: 0 | 1;
      open_micro?: 0 | 1;
      is_display?: 0 | 1;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogPairsSaveApproval_id'];
      request_id: string;
    };
  };
  /** List all networks, closed ones included */
  'GET /api/admin/catalog/protocols': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCatalogProtocolsMessage']; request_id: string };
  };
  /** Change fee, minimums, confirmations, state and note of a network; omitted fields stay as they are */
  'POST /api/admin/catalog/protocols/save': {
    fields: {
      id: number;
      reason: string;
      min_number?: string;
      rate?: string;
      min_deposit?: string;
      confirmations?: number;
      open_deposit?: 0 | 1;
      open_withdraw?: 0 | 1;
      note?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.catalogSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminCatalogProtocolsSaveApproval_id'];
      request_id: string;
    };
  };
  /** All claims */
  'GET /api/admin/charge_reqs': {
    fields: { status?: 1 | 2 | 3 | 4; user_id?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminCharge_reqsMessage']; request_id: string };
  };
  /** Decide a claim; a deposit without an owner is assigned after approval by a second operator */
  'POST /api/admin/charge_reqs/decide': {
    fields: { id: string; status: 2 | 3 | 4; deposit_id: string; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.chargeDecided' | 'admin.approvalWaiting';
      id?: OperatorSchemas['PostApiAdminCharge_reqsDecideId'];
      approval_id?: OperatorSchemas['PostApiAdminCharge_reqsDecideApproval_id'];
      request_id: string;
    };
  };
  /** List claims of all people, or of one */
  'GET /api/admin/claims': {
    fields: { page?: number; limit?: number; page_size?: number; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminClaimsMessage']; request_id: string };
  };
  /** List complaints: open ones longest waiting first, others by last activity */
  'GET /api/admin/complaints': {
    fields: {
      state?: 'open' | 'answered' | 'closed';
      user_id?: number;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminComplaintsMessage']; request_id: string };
  };
  /** Answer a complaint; the person gets a notice */
  'POST /api/admin/complaints/answer': {
    fields: { id: number; text: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.complaintAnswered'; request_id: string };
  };
  /** Close a complaint; the person can reopen it with a reply for some days */
  'POST /api/admin/complaints/close': {
    fields: { id: number; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.complaintClosed'; request_id: string };
  };
  /** Get a complaint with its messages */
  'GET /api/admin/complaints/{id}': {
    fields: { id: string };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminComplaintsIdMessage']; request_id: string };
  };
  /** The state of the exchange at a glance */
  'GET /api/admin/dashboard': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminDashboardMessage']; request_id: string };
  };
  /** All deposits */
  'GET /api/admin/deposits': {
    fields: {
      id?: string;
      state?: 'seen' | 'held' | 'credited' | 'returned';
      user_id?: number;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminDepositsMessage']; request_id: string };
  };
  /** Return a deposit without an owner, less the network fee, when a second operator approves */
  'POST /api/admin/deposits/return': {
    fields: { id: string; address: string; memo?: string; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.approvalWaiting';
      approval_id: OperatorSchemas['PostApiAdminDepositsReturnApproval_id'];
      request_id: string;
    };
  };
  /** Download the events of a period as a file */
  'GET /api/admin/export': {
    fields: { what: 'journals' | 'trades' | 'withdrawals' | 'deposits' | 'users' | 'audit'; from: string; to: string };
    answer: Schemas['Refusal'];
  };
  /** Balances of the house */
  'GET /api/admin/house': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminHouseMessage']; request_id: string };
  };
  /** Move money between house accounts */
  'POST /api/admin/house/fund': {
    fields: {
      from:
        | 'h.fees'
        | 'h.capital'
        | 'h.lever'
        | 'h.lever_fund'
        | 'h.micro'
        | 'h.savings'
        | 'h.insurance'
        | 'h.points'
        | 'h.outside';
      to:
        | 'h.fees'
        | 'h.capital'
        | 'h.lever'
        | 'h.lever_fund'
        | 'h.micro'
        | 'h.savings'
        | 'h.insurance'
        | 'h.points'
        | 'h.outside';
      currency_id: number;
      amount: string;
      note: string;
      reason: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.fundWaiting' | 'admin.fundDone';
      id: OperatorSchemas['PostApiAdminHouseFundId'];
      state: OperatorSchemas['PostApiAdminHouseFundState'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Assets against liabilities of each coin, and in US dollars */
  'GET /api/admin/house/sums': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminHouseSumsMessage']; request_id: string };
  };
  /** List journals with their legs */
  'GET /api/admin/journals': {
    fields: {
      user_id?: number;
      cause_type?: string;
      cause_id?: string;
      from?: string;
      to?: string;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminJournalsMessage']; request_id: string };
  };
  /** List documents submitted for identity checks */
  'GET /api/admin/kyc': {
    fields: { review_status?: 0 | 1 | 2; user_id?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminKycMessage']; request_id: string };
  };
  /** Certify a person, or return the documents */
  'POST /api/admin/kyc/decide': {
    fields: { user_id: number; pass: 0 | 1; submitted_at?: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** Log in as an operator; the message is the token */
  'POST /api/admin/login': {
    fields: { username: string; password: string; new_password?: string; totp_code?: string };
    answer: {
      type: 'ok';
      message: OperatorSchemas['PostApiAdminLoginMessage'];
      id: OperatorSchemas['PostApiAdminLoginId'];
      roles: OperatorSchemas['PostApiAdminLoginRoles'];
      request_id: string;
    };
  };
  /** End this operator session */
  'POST /api/admin/logout': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: string; key: 'logout.success'; request_id: string };
  };
  /** Who is signed in */
  'GET /api/admin/me': {
    fields: Record<never, never>;
    answer: {
      type: 'ok';
      message: OperatorSchemas['GetApiAdminMeMessage'];
      id: OperatorSchemas['GetApiAdminMeId'];
      roles: OperatorSchemas['GetApiAdminMeRoles'];
      request_id: string;
    };
  };
  /** List news in order, future ones included */
  'GET /api/admin/news': {
    fields: {
      id?: number;
      c_id?: 9 | 11 | 32 | 33 | 34 | 35 | 36;
      lang?:
        | 'en'
        | 'tr'
        | 'th'
        | 'ar'
        | 'vi'
        | 'ko'
        | 'zh'
        | 'pt'
        | 'hk'
        | 'jp'
        | 'es'
        | 'de'
        | 'fr'
        | 'it'
        | 'sv'
        | 'cr';
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminNewsMessage']; request_id: string };
  };
  /** Add a news item, or change the given fields of one; texts by language, English first */
  'POST /api/admin/news': {
    fields: {
      id?: number;
      c_id?: 9 | 11 | 32 | 33 | 34 | 35 | 36;
      lang?:
        | 'en'
        | 'tr'
        | 'th'
        | 'ar'
        | 'vi'
        | 'ko'
        | 'zh'
        | 'pt'
        | 'hk'
        | 'jp'
        | 'es'
        | 'de'
        | 'fr'
        | 'it'
        | 'sv'
        | 'cr';
      title?: string;
      abstract?: string;
      content?: string;
      cover?: string;
      link?: string;
      pinned?: 0 | 1;
      sort?: number;
      publish_time?: string;
      reason: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.newsSaved';
      id: OperatorSchemas['PostApiAdminNewsId'];
      request_id: string;
    };
  };
  /** Delete a news item, or its text in one language */
  'DELETE /api/admin/news': {
    fields: {
      id: number;
      lang?:
        | 'en'
        | 'tr'
        | 'th'
        | 'ar'
        | 'vi'
        | 'ko'
        | 'zh'
        | 'pt'
        | 'hk'
        | 'jp'
        | 'es'
        | 'de'
        | 'fr'
        | 'it'
        | 'sv'
        | 'cr';
      reason: string;
    };
    answer: { type: 'ok'; message: string; key: 'admin.newsRemoved'; request_id: string };
  };
  /** Send a notice to one person, or to everybody after approval by a second operator */
  'POST /api/admin/notices': {
    fields: {
      user_id: string;
      title?: string;
      content?: string;
      lang?:
        | 'en'
        | 'tr'
        | 'th'
        | 'ar'
        | 'vi'
        | 'ko'
        | 'zh'
        | 'pt'
        | 'hk'
        | 'jp'
        | 'es'
        | 'de'
        | 'fr'
        | 'it'
        | 'sv'
        | 'cr';
      texts?: string;
      reason: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'notice.sent' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminNoticesApproval_id'];
      request_id: string;
    };
  };
  /** This interface with the calls of operators, as OpenAPI */
  'GET /api/admin/openapi.json': { fields: Record<never, never>; answer: Record<string, unknown> };
  /** List operators */
  'GET /api/admin/operators': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminOperatorsMessage']; request_id: string };
  };
  /** Add or change an operator after approval by a second admin; switching one off takes effect at once */
  'POST /api/admin/operators': {
    fields: { username: string; active?: 0 | 1; password?: string; roles: string; new_totp?: 0 | 1; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'common.success' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminOperatorsApproval_id'];
      request_id: string;
    };
  };
  /** Positions of everybody, or of one person */
  'GET /api/admin/orders/lever': {
    fields: { page?: number; limit?: number; page_size?: number; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminOrdersLeverMessage']; request_id: string };
  };
  /** List seconds contracts of all people, or of one */
  'GET /api/admin/orders/micro': {
    fields: { page?: number; limit?: number; page_size?: number; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminOrdersMicroMessage']; request_id: string };
  };
  /** Spot orders of one person, or the open ones of all people */
  'GET /api/admin/orders/spot': {
    fields: { page?: number; limit?: number; page_size?: number; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminOrdersSpotMessage']; request_id: string };
  };
  /** Move a market to another partition of the books */
  'POST /api/admin/partition': {
    fields: { symbol: string; partition: number; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.pairMoved'; request_id: string };
  };
  /** The partition of the books that runs each market */
  'GET /api/admin/partitions': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminPartitionsMessage']; request_id: string };
  };
  /** Change the own password, by the old one and the authenticator */
  'POST /api/admin/password': {
    fields: { password: string; new_password: string; totp_code?: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** Get the names of up to 100 people by their ids */
  'GET /api/admin/people': {
    fields: { ids: string };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminPeopleMessage']; request_id: string };
  };
  /** Get the last findings of the auditor */
  'GET /api/admin/reconciliation': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminReconciliationMessage']; request_id: string };
  };
  /** Subscriptions of all people, or of one */
  'GET /api/admin/savings': {
    fields: { page?: number; limit?: number; page_size?: number; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminSavingsMessage']; request_id: string };
  };
  /** Search by id, transaction, address or contact */
  'GET /api/admin/search': {
    fields: { text: string };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminSearchMessage']; request_id: string };
  };
  /** All settings with type, bounds, value, default and owner */
  'GET /api/admin/settings': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminSettingsMessage']; request_id: string };
  };
  /** Change a setting; a guarded one waits for a second admin, and then one hour */
  'POST /api/admin/settings/save': {
    fields: { key: string; value: string; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'admin.settingSaved' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminSettingsSaveApproval_id'];
      request_id: string;
    };
  };
  /** Shops, the newest first */
  'GET /api/admin/shops': {
    fields: { page?: number; limit?: number; page_size?: number; status?: 0 | 1 | 2 | 3; user_id?: number };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminShopsMessage']; request_id: string };
  };
  /** Approve a shop, or refuse it and return its deposit */
  'POST /api/admin/shops/decide': {
    fields: { id: number; pass: 0 | 1; level?: 'verified' | 'advanced'; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'shop.opened' | 'shop.refused';
      command_id?: string;
      request_id: string;
    };
  };
  /** Take a snapshot for proofs now */
  'POST /api/admin/solvency/snapshot': {
    fields: { reason: string };
    answer: { type: 'ok'; message: OperatorSchemas['PostApiAdminSolvencySnapshotMessage']; request_id: string };
  };
  /** Confirm the own authenticator by its first code */
  'POST /api/admin/totp_enable': {
    fields: { totp_code: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'totp.enabled'; request_id: string };
  };
  /** Create an own authenticator secret; it is in force after its first code is confirmed */
  'POST /api/admin/totp_setup': {
    fields: { password: string; totp_code?: string; reason: string };
    answer: { type: 'ok'; message: Schemas['TotpSetup']; request_id: string };
  };
  /** Upload a picture for news; it is public once a news item uses its address */
  'POST /api/admin/upload': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: OperatorSchemas['PostApiAdminUploadMessage']; request_id: string };
  };
  /** People, newest first */
  'GET /api/admin/users': {
    fields: {
      keyword?: string;
      role?: 'seller' | 'acceptor' | 'region' | 'points' | 'frozen' | 'same_contact';
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminUsersMessage']; request_id: string };
  };
  /** Freeze a scope of a person, or lift the freeze */
  'POST /api/admin/users/freeze': {
    fields: { user_id: number; scope: 'all' | 'trade' | 'c2c' | 'withdraw' | 'none'; reason: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** End sessions; take an authenticator off, or have a fund password set again, once a second person approves */
  'POST /api/admin/users/reset': {
    fields: { user_id: number; what: 'sessions' | 'totp' | 'fund'; reason: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'common.success' | 'admin.approvalWaiting';
      approval_id?: OperatorSchemas['PostApiAdminUsersResetApproval_id'];
      request_id: string;
    };
  };
  /** Set the roles of a person: seller, acceptor, region agent, member of the points programme */
  'POST /api/admin/users/role': {
    fields: { user_id: number; is_seller?: 0 | 1; is_acceptor?: 0 | 1; region?: string; type?: 0 | 1; reason: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** One person with sessions, balances and holds */
  'GET /api/admin/users/{id}': {
    fields: { id: string };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminUsersIdMessage']; request_id: string };
  };
  /** List all withdrawals; those under review have facts and risk hints */
  'GET /api/admin/withdrawals': {
    fields: {
      id?: string;
      state?: 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
      user_id?: number;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: OperatorSchemas['GetApiAdminWithdrawalsMessage']; request_id: string };
  };
  /** Approve a withdrawal */
  'POST /api/admin/withdrawals/approve': {
    fields: { id: string; reason: string; approvals?: number; updated_ts?: number };
    answer: { type: 'ok'; message: string; key: 'admin.withdrawalApproved' | 'admin.secondNeeded'; request_id: string };
  };
  /** Refuse a withdrawal; its hold is released */
  'POST /api/admin/withdrawals/reject': {
    fields: { id: string; reason: string };
    answer: { type: 'ok'; message: string; key: 'admin.withdrawalRejected'; request_id: string };
  };
}

/** Calls that are carried out once under an Idempotency-Key. */
export const OPERATOR_ONCE: readonly (keyof OperatorCalls)[] = [
  'POST /api/admin/acceptor_deals/decide',
  'POST /api/admin/acceptors/save',
  'POST /api/admin/adjustments/create',
  'POST /api/admin/appeals/decide',
  'POST /api/admin/house/fund',
  'POST /api/admin/shops/decide',
];
