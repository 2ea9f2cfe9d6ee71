// Made by `npm run api` from the calls that the exchange serves: not edited by hand.

/** What answers are made of. Amounts and prices are decimal text. */
export interface Schemas {
  Acceptor: {
    id: number;
    user_id: number;
    name: string;
    recharge_amount: Schemas['DecimalText'];
    recharge_rate: Schemas['DecimalText'];
    cash_amount: Schemas['DecimalText'];
    cash_rate: Schemas['DecimalText'];
    debt?: Schemas['DecimalText'];
  };
  AcceptorDeal: {
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
  };
  AcceptorInfo: {
    id: number;
    user_id: number;
    name: string;
    recharge_amount: Schemas['DecimalText'];
    recharge_rate: Schemas['DecimalText'];
    cash_amount: Schemas['DecimalText'];
    cash_rate: Schemas['DecimalText'];
    debt?: Schemas['DecimalText'];
    wechat_nickname: string;
    wechat_account: string;
    ali_nickname: string;
    ali_account: string;
    bank_name: string;
    bank_account: string;
    bank_address: string;
    user_balance: Schemas['DecimalText'];
  };
  AccountAddresses: {
    currency_id: number;
    name: string;
    addressErc: string;
    addressTrc: string;
    ercName: string;
    trcName: string;
  };
  AccountChange: {
    account: string;
    currency_id: number;
    currency_name: string;
    value: Schemas['DecimalText'];
    held: Schemas['DecimalText'];
    fee: Schemas['DecimalText'];
  };
  Ad: {
    id: number;
    kind: 'c2c' | 'shop';
    type: 'buy' | 'sell';
    currency_id: number;
    currency_name: string;
    coin_code: 'CNY' | 'USD' | 'JPY';
    price: Schemas['DecimalText'];
    total_number: Schemas['DecimalText'];
    surplus_number: Schemas['DecimalText'];
    way: 'ali_pay' | 'we_chat' | 'bank';
    seller_name: string;
    seller_id: number;
    status: 1 | 2 | 3;
    limit_minutes: number;
    min_number: Schemas['DecimalText'];
    max_number: Schemas['DecimalText'];
    fee_rate: Schemas['DecimalText'];
    deals: number;
    done_rate: Schemas['DecimalText'];
    release_seconds: number;
    shop_id: number;
    level: '' | 'verified' | 'advanced';
    create_time: Schemas['TimeText'];
    is_mine: Schemas['Flag'];
  };
  ApiKeyPermissions: 'read' | 'read,trade';
  ApiKeyRow: {
    key: string;
    label: string;
    permissions: Schemas['ApiKeyPermissions'];
    ips: string[];
    created_at: Schemas['TimeText'];
    last_at: Schemas['TimeText'];
  };
  Appeal: {
    id: Schemas['OrderId'];
    deal_id: Schemas['OrderId'];
    opened_by: 'buyer' | 'seller' | 'system';
    state: 0 | 1 | 2 | 3;
    reason: string;
    evidence: { by: string; url: string; text: string; time: Schemas['TimeText'] }[];
    timeline: { time: Schemas['TimeText']; text: string }[];
    decision_due: Schemas['TimeText'];
    decision: string;
  };
  Bar: { time: Schemas['Millis']; open: number; high: number; low: number; close: number; volume: number };
  BookAnswer: {
    symbol: string;
    legal_id: number;
    currency_id: number;
    last_price: Schemas['DecimalText'];
    proportion: Schemas['DecimalText'];
    yesterday: Schemas['DecimalText'];
    today: Schemas['DecimalText'];
    in: Schemas['Level'][];
    out: Schemas['Level'][];
    complete: Schemas['TradeRecord'][];
    user_cny: Schemas['DecimalText'];
    user_currency: Schemas['DecimalText'];
    seq: number;
    checksum: number;
    ts: Schemas['Millis'];
  };
  BoundAddress: {
    id: number;
    address_id: number;
    address: string;
    coin_name: string;
    currency: number;
    type: number;
    contract_address: string;
    memo: string;
    created_at: Schemas['TimeText'];
    usable_at: Schemas['TimeText'];
  };
  Center: {
    review_status: 0 | 1 | 2;
    review_reason: string;
    cashinfo_status: 0 | 1;
    security_level: 25 | 50 | 75 | 100;
    name: string;
    card_id: string;
    bank: { real_name: string; bank_no: string; bank_name: string; region: string; phone: string } | null;
  };
  ChargeReq: {
    id: Schemas['OrderId'];
    currency: number;
    amount: Schemas['DecimalText'];
    account: string;
    status: 1 | 2 | 3 | 4;
    create_time: Schemas['TimeText'];
  };
  ChatLine: {
    id: number;
    from: 'buyer' | 'seller' | 'support' | 'system';
    text: string;
    image: string;
    create_time: Schemas['TimeText'];
  };
  CheckedAccount: {
    account: string;
    state: string;
    currency: string;
    balance: Schemas['DecimalText'];
    sum: Schemas['DecimalText'];
  };
  Coin: {
    id: number;
    name: string;
    full_name: string;
    logo: string;
    is_legal: Schemas['Flag'];
    is_match: Schemas['Flag'];
    is_lever: Schemas['Flag'];
    is_micro: Schemas['Flag'];
    scale: number;
    publish_date: string;
    total_supply: string;
    circulation: string;
    website: string;
    explorer: string;
    white_paper: string;
    description: string;
  };
  CoinBalance: {
    currency: number;
    currency_name: string;
    change_balance: Schemas['DecimalText'];
    lock_change_balance: Schemas['DecimalText'];
    legal_balance: Schemas['DecimalText'];
    lock_legal_balance: Schemas['DecimalText'];
    lever_balance: Schemas['DecimalText'];
    lock_lever_balance: Schemas['DecimalText'];
    micro_balance: Schemas['DecimalText'];
    lock_micro_balance: Schemas['DecimalText'];
    usdt_price: Schemas['DecimalText'];
    is_match: Schemas['Flag'];
    is_legal: Schemas['Flag'];
    is_lever: Schemas['Flag'];
    is_micro: Schemas['Flag'];
    multi_protocol: Schemas['Flag'];
    contract_address: string;
    is_show_memo: Schemas['Flag'];
    currency_type: 'coin' | 'token';
    ExRate: Schemas['DecimalText'];
  };
  CoinInfo: {
    currency: number;
    name: string;
    change_balance: Schemas['DecimalText'];
    legal_balance: Schemas['DecimalText'];
    bank_account: string;
    wallet_data: { currency: number; label: string };
    make_wallet: 1 | 2;
    multi_protocol: Schemas['Flag'];
    type_data: Schemas['TypeData'][];
    min_number: Schemas['DecimalText'];
    rate: Schemas['DecimalText'];
    extension_code: string;
    type: string;
  };
  Complaint: {
    id: number;
    kind: 'deposit' | 'withdrawal' | 'trade' | 'c2c' | 'account' | 'other';
    subject: string;
    about: string;
    state: 'open' | 'answered' | 'closed';
    create_time: Schemas['TimeText'];
    update_time: Schemas['TimeText'];
    unread: number;
    messages?: Schemas['ComplaintMessage'][];
  };
  ComplaintMessage: { from: 'me' | 'support'; text: string; images: string[]; create_time: Schemas['TimeText'] };
  Complete: {
    id: string;
    time: Schemas['TimeText'];
    create_time: Schemas['TimeText'];
    currency_name: string;
    legal_name: string;
    number: Schemas['DecimalText'];
    price: Schemas['DecimalText'];
    total_money: Schemas['DecimalText'];
    type: 'in' | 'out';
    in_fee: Schemas['DecimalText'];
    out_fee: Schemas['DecimalText'];
    account_number: string;
  };
  Country: { area_code: string; country_id: number; name_cn: string; name_en: string };
  CurrencyList: { legal: Schemas['Coin'][]; list: Schemas['Coin'][] };
  Deal: {
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
  };
  DecimalText: string;
  Deposit: {
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
  };
  DepositState: 'seen' | 'held' | 'credited' | 'returned';
  Entrust: {
    id: Schemas['OrderId'];
    create_time: Schemas['TimeText'];
    currency_name: string;
    legal_name: string;
    account_number: string;
    total_number: Schemas['DecimalText'];
    price: Schemas['DecimalText'];
    complete_number: Schemas['DecimalText'];
    number: Schemas['DecimalText'];
    total_money: Schemas['DecimalText'];
  };
  EquityHistory: {
    days: {
      day: string;
      equity: Schemas['DecimalText'];
      deposits: Schemas['DecimalText'];
      profit: Schemas['DecimalText'];
    }[];
  };
  FeeLevelView: {
    level: number;
    maker_percent: Schemas['DecimalText'];
    taker_percent: Schemas['DecimalText'];
    turnover_30d: Schemas['DecimalText'];
    until: string;
    next: { level: number; turnover: Schemas['DecimalText']; missing: Schemas['DecimalText'] } | null;
    levels: {
      level: number;
      turnover: Schemas['DecimalText'];
      maker_percent: Schemas['DecimalText'];
      taker_percent: Schemas['DecimalText'];
    }[];
  };
  Flag: 0 | 1;
  GetApiAcceptorListMessage: Schemas['Acceptor'][];
  GetApiAcceptorMy_dealMessage: {
    data: Schemas['AcceptorDeal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiAcceptorOrdersMessage: {
    data: Schemas['AcceptorDeal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiApikeyMessage: Schemas['ApiKeyRow'][];
  GetApiC2cChatMessage: {
    list: Schemas['ChatLine'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  GetApiC2cLegal_send_deal_listMessage: {
    data: Schemas['Deal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiC2cSeller_tradeMessage: {
    data: Schemas['Ad'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiC2cTranscript_keysMessage: { key: string; since: Schemas['TimeText'] }[];
  GetApiC2c_deal_platformMessage: {
    data: Schemas['Ad'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiC2c_seller_dealMessage: {
    data: Schemas['Deal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiC2c_user_dealMessage: {
    data: Schemas['Deal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiCoinFillsMessage: {
    data: Schemas['SpotFill'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiCoinListMessage: {
    data: Schemas['SpotOrder'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiCommandCommand_id: string;
  GetApiCommandMessage: unknown;
  GetApiComplaintListMessage: {
    data: Schemas['Complaint'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiCountryListMessage: Schemas['Country'][];
  GetApiCurrencyDepositConfigMessage: Schemas['SavingsConfig'][];
  GetApiCurrencyDepositLhDepositOrderListMessage: {
    data: Schemas['SavingsOrder'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiCurrencyLhDepositListsMessage: { currency: Schemas['SavingsCurrency'][] };
  GetApiCurrencyNew_timesharFile: {
    type: 'ok' | 'error';
    code: 0 | 1;
    msg: string;
    message?: string;
    params?: Record<string, string | number>;
    data: Schemas['Bar'][];
    simulated_before?: number;
    recorded_before?: number;
    key?: string;
    request_id: string;
  };
  GetApiCurrencyQuotation_newMessage: Schemas['QuotationGroup'][];
  GetApiCurrencyUser_currency_listMessage: Schemas['UserCurrency'][];
  GetApiInsuranceClaimsMessage: {
    data: Schemas['InsuranceClaim'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiInsuranceMyMessage: {
    data: Schemas['Insurance'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiInsuranceTypesMessage: Schemas['InsuranceType'][];
  GetApiJcExchangeMessage: {
    data: Schemas['PointsExchange'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiLegalAdsMessage: { data: Schemas['Ad'][]; page: number; page_size: number; has_more: 0 | 1; total: number };
  GetApiLegalMy_adsMessage: { data: Schemas['Ad'][]; page: number; page_size: number; has_more: 0 | 1; total: number };
  GetApiLegalMy_dealsMessage: {
    data: Schemas['Deal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiLegalMy_shopsMessage: Schemas['Shop'][];
  GetApiMarketRatesMessage: Schemas['ReferenceRate'][];
  GetApiMarketTick_keysMessage: { keys: Schemas['TickKey'][] };
  GetApiMarketTradesMessage: { list: Schemas['TradeRecord'][]; seq: number };
  GetApiMicrotradeListsMessage: {
    data: Schemas['MicroOrder'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiMicrotradePayable_currenciesMessage: Schemas['MicroCurrency'][];
  GetApiMicrotradeSecondsMessage: Schemas['MicroSeconds'][];
  GetApiMoneyRechangeMessage: { company_eth_address: string };
  GetApiProfitsShow_profitsMessage: {
    data: Schemas['Profit'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiQuotation_newMessage: Schemas['QuotationGroup'][];
  GetApiSafePasskeysMessage: Schemas['PasskeyRow'][];
  GetApiStatementJournalsMessage: {
    data: Schemas['StatementJournal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiStatementListMessage: {
    data: Schemas['WalletLog'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiUserAuthorization_codeExpires_in: number;
  GetApiUserAuthorization_codeMessage: string;
  GetApiUserRegion_usersMessage: {
    data: Schemas['RegionUser'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiUserSessionsMessage: Schemas['SessionRow'][];
  GetApiWalletCharge_listMessage: {
    data: Schemas['ChargeReq'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiWalletDepositsMessage: {
    data: Schemas['Deposit'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiWalletHoldsMessage: Schemas['HoldLine'][];
  GetApiWalletHzhistoryMessage: {
    data: Schemas['Transfer'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetApiWalletOut_listMessage: {
    data: Schemas['Withdrawal'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  GetWalletMiddleGetDrawAddressFile: {
    code: number;
    msg: string;
    data: {
      user_id: number;
      coin_name: string;
      contract_address: string;
      address: string;
      memo: string;
      list: Schemas['BoundAddress'][];
    } | null;
  };
  GetWalletMiddleSendVerificationcodeFile: { code: number; msg: string; data: { seconds: number } | null };
  HoldLine: {
    account: string;
    currency_name: string;
    amount: Schemas['DecimalText'];
    cause_type: string;
    cause_id: string;
    info: string;
  };
  Insurance: {
    id: Schemas['OrderId'];
    insurance_type_id: number;
    currency_name: string;
    amount: Schemas['DecimalText'];
    premium: Schemas['DecimalText'];
    vault: Schemas['DecimalText'];
    status: 1 | 2 | 3 | 4;
    claimable: Schemas['Flag'];
    created_at: Schemas['TimeText'];
    ended_at: Schemas['TimeText'];
  };
  InsuranceClaim: {
    id: Schemas['OrderId'];
    insurance_id: Schemas['OrderId'];
    amount: Schemas['DecimalText'];
    status: 1 | 2;
    created_at: Schemas['TimeText'];
    paid_at: Schemas['TimeText'];
  };
  InsuranceType: {
    id: number;
    currency_id: number;
    currency_name: string;
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
    quota_left: Schemas['DecimalText'];
  };
  Level: { price: Schemas['DecimalText']; number: Schemas['DecimalText'] };
  LeverDeal: {
    last_price: Schemas['DecimalText'];
    mark_price: Schemas['DecimalText'];
    multiple: { muit: { value: number }[]; share: { value: number }[] };
    all_levers: Schemas['DecimalText'];
    user_lever: Schemas['DecimalText'];
    lever_share_limit: { min: number; max: number };
    lever_share_num: Schemas['DecimalText'];
    spread: Schemas['DecimalText'];
    lever_trade_fee: Schemas['DecimalText'];
    overnight: Schemas['DecimalText'];
    burst_rate: Schemas['DecimalText'];
    open_rate: Schemas['DecimalText'];
    hazard_rate: Schemas['DecimalText'];
    my_transaction: Schemas['LeverPosition'][];
  };
  LeverPosition: {
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
  };
  LeverPreview: {
    price: Schemas['DecimalText'];
    number: Schemas['DecimalText'];
    contract_value: Schemas['DecimalText'];
    caution_money: Schemas['DecimalText'];
    trade_fee: Schemas['DecimalText'];
    hazard_rate: Schemas['DecimalText'];
    liquidation_price: Schemas['DecimalText'];
    max_share: number;
  };
  MicroCurrency: {
    id: number;
    name: string;
    micro_numbers: { number: Schemas['DecimalText'] }[];
    micro_trade_fee: Schemas['DecimalText'];
    micro_min: Schemas['DecimalText'];
    micro_max: Schemas['DecimalText'];
    user_wallet: Schemas['MicroWallet'];
    insurance_types: Schemas['InsuranceType'][];
    user_insurance: {
      id: Schemas['OrderId'];
      insurance_type_id: number;
      amount: Schemas['DecimalText'];
      vault: Schemas['DecimalText'];
      status: 1;
    } | null;
  };
  MicroOrder: {
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
  };
  MicroReceipt: {
    order: Schemas['MicroOrder'];
    rule: 'median5';
    tick_version: 1 | 2;
    open_tick: Schemas['Tick'] | null;
    ticks: Schemas['Tick'][];
    end_price: Schemas['DecimalText'];
    payout: Schemas['DecimalText'];
    journals: Schemas['OrderId'][];
  };
  MicroSeconds: {
    id: number;
    seconds: number;
    showtime: string;
    time_unit: 's' | 'm';
    profit_ratio: Schemas['DecimalText'];
    min_money: Schemas['DecimalText'];
    max_money: Schemas['DecimalText'];
  };
  MicroWallet: { micro_balance: Schemas['DecimalText']; currency_name: string; is_micro: Schemas['Flag'] };
  Millis: number;
  News: {
    id: number;
    c_id: number;
    lang: 'en' | 'tr' | 'th' | 'ar' | 'vi' | 'ko' | 'zh' | 'pt' | 'hk' | 'jp' | 'es' | 'de' | 'fr' | 'it' | 'sv' | 'cr';
    title: string;
    content: string;
    abstract: string;
    cover: string;
    link: string;
    update_time: Schemas['TimeText'];
  };
  Notice: {
    id: number;
    lang: 'en' | 'tr' | 'th' | 'ar' | 'vi' | 'ko' | 'zh' | 'pt' | 'hk' | 'jp' | 'es' | 'de' | 'fr' | 'it' | 'sv' | 'cr';
    title: string;
    content: string;
    create_time: Schemas['TimeText'];
    update_time: Schemas['TimeText'];
    is_read: Schemas['Flag'];
  };
  OrderId: string;
  OrderOutcome: {
    type: 'ok' | 'error' | 'pending';
    key: string;
    params?: Record<string, string | number>;
    field?: string;
    id?: string;
    client_order_id?: string;
    order?: Schemas['SpotOrder'];
    stop_order?: Schemas['SpotOrder'];
    remaining?: Schemas['DecimalText'];
    priority?: Schemas['Flag'];
    repeated?: 1;
  };
  PasskeyCreation: {
    rp: { id: string; name: string };
    user: { id: string; name: string; displayName: string };
    challenge: string;
    pubKeyCredParams: { alg: number; type: 'public-key' }[];
    timeout: number;
    excludeCredentials: {
      id: string;
      type: 'public-key';
      transports: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
    }[];
    authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' };
    attestation: 'none';
  };
  PasskeyRequest: {
    challenge: string;
    rpId: string;
    timeout: number;
    allowCredentials: {
      id: string;
      type: 'public-key';
      transports: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
    }[];
    userVerification: 'required';
  };
  PasskeyRow: { id: string; label: string; created_at: Schemas['TimeText']; last_at: Schemas['TimeText'] };
  PaymentInfo: {
    real_name: string;
    bank_name: string;
    bank_account: string;
    alipay_account: string;
    alipay_collect: string;
    wechat_account: string;
    wechat_nickname: string;
    wechat_collect: string;
  };
  Points: {
    jc_integral: Schemas['DecimalText'];
    free_jc_integral: Schemas['DecimalText'];
    jc_exchange_fee: Schemas['DecimalText'];
    jc_price: Schemas['DecimalText'];
    market_price: Schemas['DecimalText'];
    jc_price_difference: Schemas['DecimalText'];
    currency_name: string;
  };
  PointsBinding: { user_name: string };
  PointsExchange: {
    id: Schemas['OrderId'];
    exchange_num: Schemas['DecimalText'];
    integral: Schemas['DecimalText'];
    fact_market_price: Schemas['DecimalText'];
    created_at: Schemas['TimeText'];
  };
  PostApiAccountListMessage: {
    data: Schemas['WalletLog'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    total: number;
  };
  PostApiApikeyMessage: {
    key: string;
    label: string;
    permissions: Schemas['ApiKeyPermissions'];
    ips: string[];
    created_at: Schemas['TimeText'];
    last_at: Schemas['TimeText'];
    secret: string;
  };
  PostApiC2c_sendId: number;
  PostApiCoinBatchMessage: Schemas['OrderOutcome'][];
  PostApiCoinCancelMessage: Schemas['OrderOutcome'][];
  PostApiCoinCancel_allIds: Schemas['OrderId'][];
  PostApiCoinOcoRepeated: 1;
  PostApiCoinTradeRepeated: 1;
  PostApiComplaintAddId: number;
  PostApiIndependentPointsId: number;
  PostApiIndependentPointsMessage: string;
  PostApiLegalSendId: number;
  PostApiLeverBatch_closeIds: Schemas['OrderId'][];
  PostApiLeverCloseIds: Schemas['OrderId'][];
  PostApiLeverClosePart: Schemas['LeverPosition'];
  PostApiLeverCloseSettling: 1;
  PostApiLeverDealallMessage: {
    order: { data: Schemas['LeverPosition'][]; page: number; page_size: number; has_more: 0 | 1; total: number };
    hazard_rate: Schemas['DecimalText'];
    profits: Schemas['DecimalText'];
    profits_total: Schemas['DecimalText'];
    balance: Schemas['DecimalText'];
  };
  PostApiMarketGet_currentMessage: {
    time: Schemas['Millis'];
    open: number;
    high: number;
    low: number;
    close: number;
    volume: number;
    symbol: string;
    period: string;
    now_price: Schemas['DecimalText'];
    change: Schemas['DecimalText'];
  };
  PostApiNewsListMessage: { list: Schemas['News'][]; page: number; page_size: number; has_more: 0 | 1; count: number };
  PostApiNoticeListMessage: {
    list: Schemas['Notice'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  PostApiNoticeListUnread: number;
  PostApiQuotationMessage: { coin_list: Schemas['QuotationItem'][] };
  PostApiQuotation_newMessage: Schemas['QuotationGroup'][];
  PostApiSafeJudge_passwordIs_set: 1;
  PostApiSms_mailSeconds: number;
  PostApiSms_sendSeconds: number;
  PostApiTransaction_completeMessage: {
    list: Schemas['Complete'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  PostApiTransaction_inEntrustsMessage: {
    list: Schemas['Entrust'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  PostApiTransaction_outEntrustsMessage: {
    list: Schemas['Entrust'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  PostApiUploadMessage: string;
  PostApiUserCash_infoMessage: Schemas['PaymentInfo'] | null;
  PostApiUserDevice_loginId: number;
  PostApiUserDevice_loginMessage: string;
  PostApiUserLoginId: number;
  PostApiUserLoginMessage: string;
  PostApiUserPasskey_loginId: number;
  PostApiUserPasskey_loginMessage: string;
  PostApiUserRegisterId: number;
  PostApiWalletDetailMessage: {
    currency: number;
    currency_name: string;
    change_balance: Schemas['DecimalText'];
    lock_change_balance: Schemas['DecimalText'];
    legal_balance: Schemas['DecimalText'];
    lock_legal_balance: Schemas['DecimalText'];
    lever_balance: Schemas['DecimalText'];
    lock_lever_balance: Schemas['DecimalText'];
    micro_balance: Schemas['DecimalText'];
    lock_micro_balance: Schemas['DecimalText'];
    usdt_price: Schemas['DecimalText'];
    is_match: Schemas['Flag'];
    is_legal: Schemas['Flag'];
    is_lever: Schemas['Flag'];
    is_micro: Schemas['Flag'];
    multi_protocol: Schemas['Flag'];
    contract_address: string;
    is_show_memo: Schemas['Flag'];
    currency_type: 'coin' | 'token';
    ExRate: Schemas['DecimalText'];
    is_open_CTbi: Schemas['Flag'];
  };
  PostApiWalletGet_addressMessage: Schemas['BoundAddress'][];
  PostApiWalletGet_in_addressConfirmations: number;
  PostApiWalletGet_in_addressMemo: string;
  PostApiWalletGet_in_addressMessage: string;
  PostApiWalletGet_in_addressNote: string;
  PostApiWalletLegal_logMessage: {
    list: Schemas['WalletLog'][];
    page: number;
    page_size: number;
    has_more: 0 | 1;
    count: number;
  };
  PostApiWalletSign_draw_addressMessage: { data: string; signature: string };
  PostUpiUsdtAccountFile: {
    code: number;
    msg: string;
    data: { list: Schemas['AccountAddresses'][]; total: number } | null;
  };
  PostWalletMiddleBindDrawAddressFile: {
    code: number;
    msg: string;
    data: { address_id: number; usable_at: Schemas['TimeText'] } | null;
  };
  Preferences: {
    theme?: 'dark' | 'white';
    palette?: 'classic' | 'swapped' | 'colorblind';
    time_zone?: 'local' | 'utc';
    ask_order?: Schemas['Flag'];
    ask_position?: Schemas['Flag'];
    ask_close?: Schemas['Flag'];
    sound?: Schemas['Flag'];
    keys?: Schemas['Flag'];
    favourites?: string[];
    spot_layout?: string;
    lever_layout?: string;
  };
  Profit: {
    id: Schemas['OrderId'];
    value: Schemas['DecimalText'];
    currency_name: string;
    info: string;
    created_time: Schemas['TimeText'];
  };
  PushDevice: {
    id: number;
    mark: string;
    label: string;
    groups: ('trades' | 'deals' | 'account' | 'alerts')[];
    create_time: Schemas['TimeText'];
    seen_time: Schemas['TimeText'];
  };
  PushDevices: { public_key: string; devices: Schemas['PushDevice'][] };
  QuotationGroup: {
    name: string;
    id: number;
    rmb_relation: Schemas['DecimalText'];
    fiat_convert_cny: Schemas['DecimalText'];
    usdt_price: Schemas['DecimalText'];
    quotation: Schemas['QuotationItem'][];
  };
  QuotationItem: {
    id: number;
    symbol: string;
    legal_id: number;
    legal_name: string;
    currency_id: number;
    currency_name: string;
    now_price: Schemas['DecimalText'];
    change: Schemas['DecimalText'];
    volume: Schemas['DecimalText'];
    quote_volume: Schemas['DecimalText'];
    high: Schemas['DecimalText'];
    low: Schemas['DecimalText'];
    bid: Schemas['DecimalText'];
    ask: Schemas['DecimalText'];
    ts: Schemas['Millis'];
    is_display: Schemas['Flag'];
    open_coin_trade: Schemas['Flag'];
    open_lever: Schemas['Flag'];
    open_microtrade: Schemas['Flag'];
    lever_share_num: Schemas['DecimalText'];
    price_scale: number;
    number_scale: number;
    min_total: Schemas['DecimalText'];
    maker_fee: Schemas['DecimalText'];
    taker_fee: Schemas['DecimalText'];
    market_band: Schemas['DecimalText'];
    mode: 'normal' | 'cancel_only' | 'halted';
    feed: 'recorded' | 'simulated' | 'live';
  };
  ReferenceRate: {
    code: 'USD' | 'EUR' | 'CNY' | 'JPY' | 'GBP' | 'BRL' | 'TRY' | 'BTC';
    per_usdt: Schemas['DecimalText'];
    at: Schemas['Millis'] | null;
    source: 'operators' | 'market';
  };
  Refusal: {
    type: 'error' | 'not' | '996' | '997' | '555' | '998' | '999' | 'pending';
    message: string;
    key: string;
    params?: Record<string, string | number>;
    field?: string;
    command_id?: string;
    request_id: string;
  };
  RegionUser: { city_name: string; district_name: string; phone: string; time: Schemas['TimeText'] };
  SavingsConfig: {
    id: number;
    currency_id: number;
    day: number;
    interest_rate: Schemas['DecimalText'];
    save_min: Schemas['DecimalText'];
    cancel_rate: Schemas['DecimalText'];
  };
  SavingsCurrency: {
    id: number;
    name: string;
    balance: Schemas['DecimalText'];
    min_day_rate: Schemas['DecimalText'];
    max_rate: Schemas['DecimalText'];
  };
  SavingsOrder: {
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
  };
  ServerConfig: {
    languages: string[];
    default_locale: string;
    theme: string;
    login_need_code: Schemas['Flag'];
    invite_code_must: Schemas['Flag'];
    is_open_CTbi: Schemas['Flag'];
    socket_path: string;
    socket_port: number;
    support_url: string;
    source_url: string;
    app: { ios: string; android: string; mobile_path: string };
    dev: Schemas['Flag'];
    server_time: Schemas['Millis'];
  };
  ServerStatus: {
    version: string;
    modes: Record<string, string>;
    breakers: Record<string, 'normal' | 'cancel_only' | 'halted'>;
    maker: Schemas['Flag'];
    house: Record<string, Record<string, { reserved: Schemas['DecimalText']; owed_at_most: Schemas['DecimalText'] }>>;
    outcomes: Record<string, Record<string, number>>;
    feed: 'recorded' | 'simulated' | 'live' | null;
    feed_age_ms: number;
    stale_pairs: string[];
    feeds: Record<string, { sources: number; fresh: number; at: Schemas['Millis'] | null }>;
    latency_ms: Record<'submit_to_ack' | 'ack_to_push', { p50: number; p99: number }>;
    database: 'ok' | 'away';
    audit: 'ok' | 'alarm';
    audit_time: Schemas['TimeText'] | null;
    audit_age_ms: number;
    audit_checks: number;
    markets: number;
    volume_24h: Schemas['DecimalText'] | null;
    trades_today: number | null;
    history: {
      since: Schemas['Millis'] | null;
      until: Schemas['Millis'] | null;
      outages: { product: string; day: string; limited_seconds: number; down_seconds: number }[];
    };
  };
  SessionRow: {
    id: string;
    ip: string;
    agent: string;
    created_at: Schemas['TimeText'];
    last_at: Schemas['TimeText'];
    current: Schemas['Flag'];
  };
  Shop: {
    id: number;
    name: string;
    currency_id: number;
    currency_name: string;
    level: 'verified' | 'advanced';
    status: 0 | 1 | 2 | 3;
    merchant_balance: Schemas['DecimalText'];
    lock_merchant_balance: Schemas['DecimalText'];
    deposit: Schemas['DecimalText'];
    deals: number;
    done_rate: Schemas['DecimalText'];
    release_seconds: number;
    ads: number;
  };
  ShopPage: {
    id: number;
    name: string;
    currency_id: number;
    currency_name: string;
    level: 'verified' | 'advanced';
    status: 0 | 1 | 2 | 3;
    deals: number;
    done_rate: Schemas['DecimalText'];
    release_seconds: number;
    ads: Schemas['Ad'][];
  };
  ShopTerms: {
    coin: string;
    levels: { level: 'verified' | 'advanced'; deposit: Schemas['DecimalText']; limit: Schemas['DecimalText'] }[];
  };
  SolvencyCoin: {
    currency: string;
    liabilities: Schemas['DecimalText'];
    assets: Schemas['DecimalText'];
    leaves: number;
    root_hash: string;
  };
  SolvencyProof: {
    snapshot_id: number;
    currency: string;
    leaf: { nonce: string; balance: Schemas['DecimalText']; hash: string };
    path: { side: 'L' | 'R'; hash: string; sum: Schemas['DecimalText'] }[];
    root_hash: string;
    root_sum: Schemas['DecimalText'];
  };
  SolvencySnapshot: {
    snapshot_id: number;
    time: Schemas['TimeText'];
    simulated_assets: Schemas['Flag'];
    currencies: Schemas['SolvencyCoin'][];
  };
  SpotFill: {
    id: string;
    order_id: Schemas['OrderId'];
    symbol: string;
    type: 1 | 2;
    price: Schemas['DecimalText'];
    number: Schemas['DecimalText'];
    total: Schemas['DecimalText'];
    fee: Schemas['DecimalText'];
    fee_currency: string;
    role: 'maker' | 'taker';
    create_time: Schemas['TimeText'];
    ts: Schemas['Millis'];
  };
  SpotOrder: {
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
  };
  StatementCheck: { ok: Schemas['Flag']; accounts: Schemas['CheckedAccount'][] };
  StatementJournal: {
    id: Schemas['OrderId'];
    created_time: Schemas['TimeText'];
    info: string;
    cause_type: string;
    cause_id: string;
    is_hold: Schemas['Flag'];
    changes: Schemas['AccountChange'][];
    lines: Schemas['WalletLog'][];
  };
  StreamSince: { events: { event: string; payload: unknown }[]; user_seq: number; complete: Schemas['Flag'] };
  TeamNode: { id: number; name?: string; direct?: number; children: Schemas['TeamNode'][] };
  TeamTree: {
    show_message: {
      top_upnumber: Schemas['DecimalText'];
      real_teamnumber: number;
      rank: 0 | 1 | 2 | 3 | 4;
      direct: number;
    };
    results: Schemas['TeamNode'][];
  };
  Tick: {
    id: Schemas['OrderId'];
    symbol: string;
    time: Schemas['Millis'];
    price: Schemas['DecimalText'];
    at?: Schemas['Millis'];
    prev_hash: string;
    hash: string;
  };
  TickChain: { ticks: Schemas['Tick'][]; public_key: string; signature: string };
  TickKey: { public_key: string; from: Schemas['Millis']; until: Schemas['Millis'] | null };
  TimeText: string;
  TotpSetup: { secret: string; otpauth_url: string };
  TradeRecord: {
    id: string;
    create_time: Schemas['TimeText'];
    ts: Schemas['Millis'];
    price: Schemas['DecimalText'];
    number: Schemas['DecimalText'];
    direction: 'buy' | 'sell';
    house: Schemas['Flag'];
  };
  Transfer: {
    id: Schemas['OrderId'];
    currency_id: number;
    currency_name: string;
    type: string;
    from_field: string;
    to_field: string;
    number: Schemas['DecimalText'];
    create_time: Schemas['TimeText'];
  };
  TypeData: {
    id: number;
    type: string;
    name: string;
    contract_address: string;
    min_number: Schemas['DecimalText'];
    rate: Schemas['DecimalText'];
    min_deposit: Schemas['DecimalText'];
  };
  UserCurrency: {
    id: number;
    name: string;
    is_legal: Schemas['Flag'];
    is_lever: Schemas['Flag'];
    is_match: Schemas['Flag'];
    is_micro: Schemas['Flag'];
    wallet: {
      lever_balance: Schemas['DecimalText'];
      micro_balance: Schemas['DecimalText'];
      change_balance: Schemas['DecimalText'];
      legal_balance: Schemas['DecimalText'];
    };
  };
  UserInfo: {
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
  };
  WalletGroup: { balance: Schemas['CoinBalance'][]; usdt_totle: Schemas['DecimalText'] };
  WalletList: {
    account_number: string;
    total_assets: Schemas['DecimalText'];
    list: { token: string; balance: Schemas['DecimalText']; lock_balance: Schemas['DecimalText'] }[];
    change_wallet: Schemas['WalletGroup'];
    legal_wallet: Schemas['WalletGroup'];
    lever_wallet: Schemas['WalletGroup'];
    micro_wallet: Schemas['WalletGroup'];
    is_open_CTbi: Schemas['Flag'];
  };
  WalletLog: {
    id: Schemas['OrderId'];
    value: Schemas['DecimalText'];
    info: string;
    created_time: Schemas['TimeText'];
    currency_id: number;
    currency_name: string;
    account: string;
    state: 'available' | 'held';
    balance_after: Schemas['DecimalText'];
    journal_id: Schemas['OrderId'];
    cause_type: string;
    cause_id: string;
    is_fee: Schemas['Flag'];
  };
  Withdrawal: {
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
  };
  WithdrawalState: 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
}

/** Every public call, with its fields and what it answers when it is accepted. */
export interface Calls {
  /** Log in for points only; the message is the token */
  'POST /api/Independent/points': {
    fields: {
      user_string: string;
      password: string;
      area_code?: string;
      country_code?: string;
      sms_code?: string;
      totp_code?: string;
      passkey?: string;
    };
    answer: {
      type: 'ok';
      message: Schemas['PostApiIndependentPointsMessage'];
      id: Schemas['PostApiIndependentPointsId'];
      request_id: string;
    };
  };
  /** Own terms and quotas */
  'GET /api/acceptor/account': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['AcceptorInfo']; request_id: string };
  };
  /** Confirm the fiat of a deposit; the person receives the coins */
  'POST /api/acceptor/confirm': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.confirmed';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Deposit fiat for coins, or withdraw coins for fiat */
  'POST /api/acceptor/deal': {
    fields: {
      mobile: string;
      deal_account: string;
      money: string;
      way: 'ali_pay' | 'we_chat' | 'bank';
      type: 'buy' | 'sell';
      acceptor_id: number;
      receive_money?: string;
      password?: string;
      address?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.submitted';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Add coins for deposits of people, or take free ones back */
  'POST /api/acceptor/fund': {
    fields: { direction: 'in' | 'out'; number: string; password?: string };
    answer: { type: 'ok'; message: string; key: 'acceptor.funded'; command_id?: string; request_id: string };
  };
  /** Get an acceptor with its payment details */
  'GET /api/acceptor/info': {
    fields: { id: number; address?: string };
    answer: { type: 'ok'; message: Schemas['AcceptorInfo']; request_id: string };
  };
  /** List acceptors with their free limits */
  'GET /api/acceptor/list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiAcceptorListMessage']; request_id: string };
  };
  /** Own deals with acceptors, the newest first */
  'GET /api/acceptor/my_deal': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      way?: 'ali_pay' | 'we_chat' | 'bank';
      type?: 'buy' | 'sell';
      address?: string;
    };
    answer: { type: 'ok'; message: Schemas['GetApiAcceptorMy_dealMessage']; request_id: string };
  };
  /** Deals of people with this acceptor, the newest first */
  'GET /api/acceptor/orders': {
    fields: { page?: number; limit?: number; page_size?: number; is_sure?: number; type?: 'buy' | 'sell' };
    answer: { type: 'ok'; message: Schemas['GetApiAcceptorOrdersMessage']; request_id: string };
  };
  /** Set the payment details of this acceptor; omitted fields become empty */
  'POST /api/acceptor/payment': {
    fields: {
      wechat_nickname?: string;
      wechat_account?: string;
      ali_nickname?: string;
      ali_account?: string;
      bank_name?: string;
      bank_account?: string;
      bank_address?: string;
      password?: string;
    };
    answer: { type: 'ok'; message: string; key: 'acceptor.saved'; command_id?: string; request_id: string };
  };
  /** Set the rates of this acceptor for future deals, in percent */
  'POST /api/acceptor/rates': {
    fields: { recharge_rate: string; cash_rate: string; password?: string };
    answer: { type: 'ok'; message: string; key: 'acceptor.saved'; command_id?: string; request_id: string };
  };
  /** Refuse a deal; all funds are returned */
  'POST /api/acceptor/reject': {
    fields: { id: string; reason: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.rejected';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Report the fiat of a withdrawal as transferred */
  'POST /api/acceptor/transferred': {
    fields: { id: string; proof_pic?: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.transferred';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Cancel a deal before the acceptor has acted */
  'POST /api/acceptor/user_cancel': {
    fields: { id: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.cancelled';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Confirm the fiat of a withdrawal; the acceptor receives the coins */
  'POST /api/acceptor/user_confirm': {
    fields: { id: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.confirmed';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Object to a deal, so that finance decides: paid but not confirmed, or transferred but not received */
  'POST /api/acceptor/user_object': {
    fields: { id: string; reason: string; pic?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'acceptor.objected';
      id: Schemas['OrderId'];
      deal: Schemas['AcceptorDeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Statement of all coins and accounts */
  'POST /api/account/list': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['PostApiAccountListMessage']; request_id: string };
  };
  /** Own API keys, without their secrets */
  'GET /api/apikey': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiApikeyMessage']; request_id: string };
  };
  /** Create an API key; its secret is shown once */
  'POST /api/apikey': {
    fields: { label: string; permissions: 'read' | 'read,trade'; ips?: string; password?: string };
    answer: { type: 'ok'; message: Schemas['PostApiApikeyMessage']; request_id: string };
  };
  /** Delete an own API key */
  'DELETE /api/apikey': {
    fields: { key: string; password?: string };
    answer: { type: 'ok'; message: string; key: 'apikey.deleted'; request_id: string };
  };
  /** The socket as AsyncAPI */
  'GET /api/asyncapi.json': { fields: Record<never, never>; answer: Record<string, unknown> };
  /** The last appeal of an own deal */
  'GET /api/c2c/appeal': {
    fields: { id: string };
    answer: { type: 'ok'; message: Schemas['Appeal']; request_id: string };
  };
  /** Appeal an own deal, so that support decides */
  'POST /api/c2c/appeal': {
    fields: { id: string; reason: string; evidence?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.appealOpened' | 'c2c.appealRecorded';
      appeal: Schemas['Appeal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Withdraw an own open appeal */
  'POST /api/c2c/appeal_cancel': {
    fields: { id: string };
    answer: { type: 'ok'; message: Schemas['Appeal']; request_id: string };
  };
  /** Add a text or a picture to the open appeal of an own deal */
  'POST /api/c2c/appeal_evidence': {
    fields: { id: string; text?: string; url?: string };
    answer: { type: 'ok'; message: Schemas['Appeal']; request_id: string };
  };
  /** Withdraw an own ad; the rest is returned with its fee */
  'POST /api/c2c/back_send': {
    fields: { id: number; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.withdrawn';
      ad: Schemas['Ad'];
      command_id?: string;
      request_id: string;
    };
  };
  /** List chat messages of an own deal, newest first; reading the first page marks all as read */
  'GET /api/c2c/chat': {
    fields: { id: string; after?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiC2cChatMessage']; request_id: string };
  };
  /** Send a chat message: a text, a picture, or both */
  'POST /api/c2c/chat': {
    fields: { id: string; text?: string; image?: string };
    answer: { type: 'ok'; message: Schemas['ChatLine']; request_id: string };
  };
  /** Take an ad, whole or in part; the taker of a buy ad provides the coins and their fee */
  'POST /api/c2c/do_legal_deal': {
    fields: { id: number; number?: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.taken';
      id: Schemas['OrderId'];
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Confirm the money as the owner of a sell ad; the buyer receives the coins */
  'POST /api/c2c/legal_deal_sure': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.released';
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Confirm the money as the taker of a buy ad; the buyer receives the coins */
  'POST /api/c2c/legal_deal_user_sure': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.released';
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Deals on one own ad */
  'GET /api/c2c/legal_send_deal_list': {
    fields: { page?: number; limit?: number; page_size?: number; id: number };
    answer: { type: 'ok'; message: Schemas['GetApiC2cLegal_send_deal_listMessage']; request_id: string };
  };
  /** Own published ads */
  'GET /api/c2c/seller_trade': {
    fields: { type?: 'buy' | 'sell'; page?: number; limit?: number; page_size?: number; currency_id?: number };
    answer: { type: 'ok'; message: Schemas['GetApiC2cSeller_tradeMessage']; request_id: string };
  };
  /** Get the signed transcript of an own deal with its pictures */
  'GET /api/c2c/transcript': { fields: { id: string }; answer: Schemas['Refusal'] };
  /** Ed25519 keys that have signed transcripts, the newest first */
  'GET /api/c2c/transcript_keys': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiC2cTranscript_keysMessage']; request_id: string };
  };
  /** Report a deal as paid, as its coin buyer */
  'POST /api/c2c/user_legal_pay': {
    fields: { id: string; proof?: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.paid';
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Cancel a deal as its coin buyer, before the payment */
  'POST /api/c2c/user_legal_pay_cancel': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.cancelled';
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Get a deal of the caller */
  'GET /api/c2c_deal': { fields: { id: string }; answer: { type: 'ok'; message: Schemas['Deal']; request_id: string } };
  /** Ads that can be taken, the best price first */
  'GET /api/c2c_deal_platform': {
    fields: {
      type: 'buy' | 'sell';
      page?: number;
      limit?: number;
      page_size?: number;
      currency_id: number;
      coin_code?: 'CNY' | 'USD' | 'JPY';
      way?: 'ali_pay' | 'we_chat' | 'bank';
      money?: string;
    };
    answer: { type: 'ok'; message: Schemas['GetApiC2c_deal_platformMessage']; request_id: string };
  };
  /** Deals on own ads, finished ones without `is_sure` */
  'GET /api/c2c_seller_deal': {
    fields: {
      currency_id?: number;
      page?: number;
      limit?: number;
      page_size?: number;
      type?: 'buy' | 'sell';
      is_sure?: '0' | '1' | '2' | '3' | '0|3';
    };
    answer: { type: 'ok'; message: Schemas['GetApiC2c_seller_dealMessage']; request_id: string };
  };
  /** Publish an ad; a sell ad holds its coins and their fee */
  'POST /api/c2c_send': {
    fields: {
      total_number: string;
      price: string;
      way: 'ali_pay' | 'we_chat' | 'bank';
      coin_code: 'CNY' | 'USD' | 'JPY';
      type: 'buy' | 'sell';
      currency_id: number;
      limit_minutes?: number;
      min_number?: string;
      max_number?: string;
      password?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.published';
      id: Schemas['PostApiC2c_sendId'];
      ad: Schemas['Ad'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Deals that the caller has taken */
  'GET /api/c2c_user_deal': {
    fields: { page?: number; limit?: number; page_size?: number; is_sure?: '0' | '1' | '2' | '3' | '0|3' };
    answer: { type: 'ok'; message: Schemas['GetApiC2c_user_dealMessage']; request_id: string };
  };
  /** Place, change and cancel up to 20 orders, one after the other */
  'POST /api/coin/batch': {
    fields: {
      items: {
        op: 'place' | 'oco' | 'amend' | 'cancel';
        id?: string;
        client_order_id?: string;
        legal_id?: number;
        currency_id?: number;
        type?: 1 | 2;
        order_type?: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
        target_price?: string;
        amount?: string;
        stop_price?: string;
        trigger_by?: 'last' | 'mark';
        stop_limit_price?: string;
        take_profit?: string;
        stop_loss?: string;
        trail_percent?: string;
        trail_amount?: string;
        activation_price?: string;
        time_in_force?: 'GTC' | 'IOC' | 'FOK';
        post_only?: 0 | 1;
        stp?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
      }[];
    };
    answer: { type: 'ok'; message: Schemas['PostApiCoinBatchMessage']; command_id?: string; request_id: string };
  };
  /** Cancel up to 20 open orders by their ids */
  'POST /api/coin/cancel': {
    fields: { ids?: string[]; client_order_ids?: string[] };
    answer: { type: 'ok'; message: Schemas['PostApiCoinCancelMessage']; command_id?: string; request_id: string };
  };
  /** Cancel all open orders, or those of a pair or side */
  'POST /api/coin/cancel_all': {
    fields: { legal_id?: number; currency_id?: number; type?: 1 | 2 };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.cancelledAll';
      ids: Schemas['PostApiCoinCancel_allIds'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own orders or trades as a file */
  'GET /api/coin/export': {
    fields: {
      kind: 'orders' | 'trades';
      legal_id?: number;
      currency_id?: number;
      status?: 1 | 2;
      from?: number;
      to?: number;
    };
    answer: Schemas['Refusal'];
  };
  /** Own fills by time, newest first unless `order` says otherwise */
  'GET /api/coin/fills': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      order_id?: string;
      currency_id?: number;
      legal_id?: number;
      from?: number;
      to?: number;
      order?: 'asc' | 'desc';
    };
    answer: { type: 'ok'; message: Schemas['GetApiCoinFillsMessage']; request_id: string };
  };
  /** Own orders by time, newest first unless `order` says otherwise */
  'GET /api/coin/list': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      currency?: number;
      legal_id?: number;
      status?: 1 | 2;
      from?: number;
      to?: number;
      order?: 'asc' | 'desc';
    };
    answer: { type: 'ok'; message: Schemas['GetApiCoinListMessage']; request_id: string };
  };
  /** Place an OCO pair: a limit leg and a stop leg under one hold */
  'POST /api/coin/oco': {
    fields: {
      legal_id: number;
      currency_id: number;
      type: 1 | 2;
      target_price: string;
      amount: string;
      stop_price: string;
      stop_limit_price?: string;
      trigger_by?: 'last';
      post_only?: 0 | 1;
      stp?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
      client_order_id?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.success';
      id: Schemas['OrderId'];
      order: Schemas['SpotOrder'];
      stop_order: Schemas['SpotOrder'];
      repeated?: Schemas['PostApiCoinOcoRepeated'];
      command_id?: string;
      request_id: string;
    };
  };
  /** One own order */
  'GET /api/coin/order': {
    fields: { id?: string; client_order_id?: string };
    answer: { type: 'ok'; message: Schemas['SpotOrder']; request_id: string };
  };
  /** Change price or amount of an open order */
  'PUT /api/coin/order': {
    fields: { id?: string; client_order_id?: string; target_price?: string; amount?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.amended';
      id: Schemas['OrderId'];
      priority: Schemas['Flag'];
      order: Schemas['SpotOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Place a spot order */
  'POST /api/coin/trade': {
    fields: {
      legal_id: number;
      currency_id: number;
      order_type?: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
      target_price?: string;
      amount: string;
      time_in_force?: 'GTC' | 'IOC' | 'FOK';
      post_only?: 0 | 1;
      stp?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
      client_order_id?: string;
      stop_price?: string;
      trigger_by?: 'last' | 'mark';
      take_profit?: string;
      stop_loss?: string;
      trail_percent?: string;
      trail_amount?: string;
      activation_price?: string;
      type: 1 | 2;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.success';
      id: Schemas['OrderId'];
      order: Schemas['SpotOrder'];
      repeated?: Schemas['PostApiCoinTradeRepeated'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Cancel an open order */
  'PUT /api/coin/trade': {
    fields: { id?: string; client_order_id?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.cancelled';
      id: Schemas['OrderId'];
      remaining: Schemas['DecimalText'];
      order: Schemas['SpotOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Get the answer of an earlier money call */
  'GET /api/command': {
    fields: { key: string };
    answer: {
      type: 'ok';
      message: Schemas['GetApiCommandMessage'];
      command_id: Schemas['GetApiCommandCommand_id'];
      request_id: string;
    };
  };
  /** Open a complaint; support answers it */
  'POST /api/complaint/add': {
    fields: {
      kind: 'deposit' | 'withdrawal' | 'trade' | 'c2c' | 'account' | 'other';
      subject: string;
      text: string;
      about?: string;
      images?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'complaint.sent';
      id: Schemas['PostApiComplaintAddId'];
      request_id: string;
    };
  };
  /** Close an own complaint */
  'POST /api/complaint/close': {
    fields: { id: number };
    answer: { type: 'ok'; message: string; key: 'complaint.closed'; request_id: string };
  };
  /** Get an own complaint with its messages, and mark them as read */
  'GET /api/complaint/detail': {
    fields: { id: number };
    answer: { type: 'ok'; message: Schemas['Complaint']; request_id: string };
  };
  /** List own complaints by last activity */
  'GET /api/complaint/list': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiComplaintListMessage']; request_id: string };
  };
  /** Reply to a complaint; a closed one can be reopened for some days */
  'POST /api/complaint/reply': {
    fields: { id: number; text: string; images?: string };
    answer: { type: 'ok'; message: string; key: 'complaint.replied'; request_id: string };
  };
  /** Get the configuration of this server for the terminal */
  'GET /api/config': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['ServerConfig']; request_id: string };
  };
  /** Countries with their calling codes */
  'GET /api/country/list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiCountryListMessage']; request_id: string };
  };
  /** End a term early; the interest is lost and the agreed fee is charged */
  'POST /api/currency/deposit/cancel': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'save.cancelled';
      order: Schemas['SavingsOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Terms on offer in a coin, the shortest first */
  'GET /api/currency/deposit/config': {
    fields: { currency_id: number };
    answer: { type: 'ok'; message: Schemas['GetApiCurrencyDepositConfigMessage']; request_id: string };
  };
  /** Own subscriptions, the newest first */
  'GET /api/currency/deposit/lhDepositOrderList': {
    fields: { page?: number; limit?: number; page_size?: number; status?: 1 | 2 | 3 };
    answer: { type: 'ok'; message: Schemas['GetApiCurrencyDepositLhDepositOrderListMessage']; request_id: string };
  };
  /** One currency */
  'GET /api/currency/detail': {
    fields: { id: number };
    answer: { type: 'ok'; message: Schemas['Coin']; request_id: string };
  };
  /** Subscribe an amount for a term; its whole interest is reserved at once */
  'POST /api/currency/lhDeposit': {
    fields: { amount: string; password?: string; config_id: number; currency_id: number };
    answer: {
      type: 'ok';
      message: string;
      key: 'save.subscribed';
      order: Schemas['SavingsOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** List coins for fixed terms with the caller’s available balances */
  'GET /api/currency/lhDepositLists': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiCurrencyLhDepositListsMessage']; request_id: string };
  };
  /** List all currencies and the quote currencies */
  'GET /api/currency/list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['CurrencyList']; request_id: string };
  };
  /** List the newest 1,500 candles in ascending order without gaps; the answer has its own code and msg */
  'GET /api/currency/new_timeshar': {
    fields: {
      symbol: string;
      period:
        | '1min'
        | '5min'
        | '15min'
        | '30min'
        | '60min'
        | '1day'
        | '1week'
        | '1mon'
        | '1'
        | '5'
        | '15'
        | '30'
        | '60'
        | '1D'
        | 'D'
        | '1W'
        | 'W'
        | '1M'
        | 'M';
      from: number;
      to: number;
    };
    answer: Schemas['GetApiCurrencyNew_timesharFile'];
  };
  /** Quotations by quote currency */
  'GET /api/currency/quotation_new': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiCurrencyQuotation_newMessage']; request_id: string };
  };
  /** Coins with own balances */
  'GET /api/currency/user_currency_list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiCurrencyUser_currency_listMessage']; request_id: string };
  };
  /** Get the own team with names, or the structure of another */
  'POST /api/getNode': {
    fields: { user_id?: number; after?: number };
    answer: { type: 'ok'; message: Schemas['TeamTree']; request_id: string };
  };
  /** Buy a policy */
  'POST /api/insurance/buy': {
    fields: { amount?: string; password?: string; type_id: number };
    answer: {
      type: 'ok';
      message: string;
      key: 'insurance.bought';
      insurance: Schemas['Insurance'];
      command_id?: string;
      request_id: string;
    };
  };
  /** End a policy; its vault is returned, the premium is not */
  'POST /api/insurance/cancel': {
    fields: { id: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'insurance.cancelled';
      insurance: Schemas['Insurance'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Claim the insurance of a policy whose losses suffice */
  'POST /api/insurance/claim': {
    fields: { id: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'insurance.paid' | 'insurance.booked';
      claim: Schemas['InsuranceClaim'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own claims, the newest first */
  'GET /api/insurance/claims': {
    fields: { page?: number; limit?: number; page_size?: number; currency_id?: number };
    answer: { type: 'ok'; message: Schemas['GetApiInsuranceClaimsMessage']; request_id: string };
  };
  /** Own policies, the newest first */
  'GET /api/insurance/my': {
    fields: { page?: number; limit?: number; page_size?: number; currency_id?: number };
    answer: { type: 'ok'; message: Schemas['GetApiInsuranceMyMessage']; request_id: string };
  };
  /** What can be bought */
  'GET /api/insurance/types': {
    fields: { currency_id?: number };
    answer: { type: 'ok'; message: Schemas['GetApiInsuranceTypesMessage']; request_id: string };
  };
  /** Get the bound account of the third party; empty if none */
  'GET /api/jc/bind': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PointsBinding']; request_id: string };
  };
  /** Bind an account of the third party; its points are credited */
  'POST /api/jc/bind': {
    fields: { user_name: string; password: string };
    answer: { type: 'ok'; message: string; key: 'jc.boundNow'; request_id: string };
  };
  /** Own exchanges, the newest first */
  'GET /api/jc/exchange': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiJcExchangeMessage']; request_id: string };
  };
  /** Exchange points for coins; it cannot be undone */
  'POST /api/jc/exchange': {
    fields: { use_number: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'jc.exchanged';
      exchange: Schemas['PointsExchange'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own points, and what they are exchanged at */
  'GET /api/jc/info': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['Points']; request_id: string };
  };
  /** Ads of shops that can be taken, the best price first */
  'GET /api/legal/ads': {
    fields: {
      type: 'buy' | 'sell';
      currency_id: number;
      coin_code?: 'CNY' | 'USD' | 'JPY';
      way?: 'ali_pay' | 'we_chat' | 'bank';
      money?: string;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: Schemas['GetApiLegalAdsMessage']; request_id: string };
  };
  /** Withdraw an ad of an own shop; the rest is returned with its fee */
  'POST /api/legal/back_send': {
    fields: { id: number; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'legal.withdrawn';
      ad: Schemas['Ad'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Take an amount of coins of a shop’s ad, or the coins for an amount of fiat */
  'POST /api/legal/do_deal': {
    fields: { id: number; number?: string; money?: string; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.taken';
      id: Schemas['OrderId'];
      deal: Schemas['Deal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Move coins between the legal and the merchant account */
  'POST /api/legal/merchant_transfer': {
    fields: { shop_id: number; number: string; direction: 'in' | 'out'; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'shop.transferred';
      shop: Schemas['Shop'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Ads of an own shop, the newest first */
  'GET /api/legal/my_ads': {
    fields: { shop_id: number; type?: 'buy' | 'sell'; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiLegalMy_adsMessage']; request_id: string };
  };
  /** Deals on the ads of an own shop, the newest first */
  'GET /api/legal/my_deals': {
    fields: {
      shop_id: number;
      type?: 'buy' | 'sell';
      is_sure?: '0' | '1' | '2' | '3' | '0|3';
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: Schemas['GetApiLegalMy_dealsMessage']; request_id: string };
  };
  /** Own shops, the newest first */
  'GET /api/legal/my_shops': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiLegalMy_shopsMessage']; request_id: string };
  };
  /** Publish an ad of a shop; a sell ad holds its coins and their fee in the merchant account */
  'POST /api/legal/send': {
    fields: {
      shop_id: number;
      total_number: string;
      min_number: string;
      max_number: string;
      price: string;
      way: 'ali_pay' | 'we_chat' | 'bank';
      coin_code: 'CNY' | 'USD' | 'JPY';
      type: 'buy' | 'sell';
      limit_minutes?: number;
      password?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'c2c.published';
      id: Schemas['PostApiLegalSendId'];
      ad: Schemas['Ad'];
      command_id?: string;
      request_id: string;
    };
  };
  /** A shop and its ads */
  'GET /api/legal/shop': {
    fields: { id: number };
    answer: { type: 'ok'; message: Schemas['ShopPage']; request_id: string };
  };
  /** Apply for a shop; its deposit is held */
  'POST /api/legal/shop_apply': {
    fields: { name: string; currency_id: number; level: 'verified' | 'advanced'; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'shop.applied';
      shop: Schemas['Shop'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Close an own shop; its deposit and the merchant balance are returned */
  'POST /api/legal/shop_close': {
    fields: { shop_id: number; password?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'legal.closed';
      shop: Schemas['Shop'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Deposit and limit per deal of each level of shops */
  'GET /api/legal/terms': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['ShopTerms']; request_id: string };
  };
  /** Close all open positions, or those of one direction or pair */
  'POST /api/lever/batch_close': {
    fields: { type: 0 | 1 | 2; legal_id?: number; currency_id?: number; cover?: 0 | 1 };
    answer: {
      type: 'ok';
      message: string;
      key: 'lever.closed';
      ids: Schemas['PostApiLeverBatch_closeIds'];
      settling?: Schemas['PostApiLeverCloseSettling'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Cancel a pending order */
  'POST /api/lever/cancel': {
    fields: { id: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'lever.cancelled';
      order: Schemas['LeverPosition'];
      settling?: Schemas['PostApiLeverCloseSettling'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Close a position or a part of it at the mark price; with cover, also the positions that cover its loss */
  'POST /api/lever/close': {
    fields: { id: string; cover?: 0 | 1; share?: number };
    answer: {
      type: 'ok';
      message: string;
      key: 'lever.closed';
      order: Schemas['LeverPosition'];
      part?: Schemas['PostApiLeverClosePart'];
      ids?: Schemas['PostApiLeverCloseIds'];
      settling?: Schemas['PostApiLeverCloseSettling'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Get the data for a ticket of a leverage pair */
  'POST /api/lever/deal': {
    fields: { legal_id: number; currency_id: number };
    answer: { type: 'ok'; message: Schemas['LeverDeal']; request_id: string };
  };
  /** Own open positions of a quote */
  'POST /api/lever/dealall': {
    fields: { page?: number; limit?: number; page_size?: number; legal_id: number; currency_id?: number };
    answer: { type: 'ok'; message: Schemas['PostApiLeverDealallMessage']; request_id: string };
  };
  /** Own closed positions as a file */
  'GET /api/lever/export': {
    fields: { legal_id?: number; currency_id?: number; from?: number; to?: number };
    answer: Schemas['Refusal'];
  };
  /** Own positions in one state or all */
  'POST /api/lever/my_trade': {
    fields: {
      page?: number;
      limit?: number;
      page_size?: number;
      status?: 0 | 1 | 2 | 3 | 4;
      legal_id?: number;
      currency_id?: number;
    };
    answer: { type: 'ok'; message: Schemas['PostApiLeverDealallMessage']; request_id: string };
  };
  /** One own position */
  'GET /api/lever/order': {
    fields: { id?: string; client_id?: string };
    answer: { type: 'ok'; message: Schemas['LeverPosition']; request_id: string };
  };
  /** Preview a position */
  'POST /api/lever/preview': {
    fields: {
      legal_id: number;
      currency_id: number;
      type: 1 | 2;
      status: 0 | 1;
      multiple: number;
      target_price?: string;
      share: number;
      target_profit_price?: string;
      stop_loss_price?: string;
      client_id?: string;
    };
    answer: { type: 'ok'; message: Schemas['LeverPreview']; request_id: string };
  };
  /** Set target and stop of an open position */
  'POST /api/lever/setstop': {
    fields: { id: string; target_profit_price?: string; stop_loss_price?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'lever.stopsSet';
      order: Schemas['LeverPosition'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Open a position at the market, or at a trigger price */
  'POST /api/lever/submit': {
    fields: {
      legal_id: number;
      currency_id: number;
      type: 1 | 2;
      status: 0 | 1;
      multiple: number;
      target_price?: string;
      share: number;
      target_profit_price?: string;
      stop_loss_price?: string;
      client_id?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'lever.success';
      id: Schemas['OrderId'];
      order: Schemas['LeverPosition'];
      command_id?: string;
      request_id: string;
    };
  };
  /** The candle in progress */
  'POST /api/market/get_current': {
    fields: {
      base_currency: string;
      quote_currency: string;
      period:
        | '1min'
        | '5min'
        | '15min'
        | '30min'
        | '60min'
        | '1day'
        | '1week'
        | '1mon'
        | '1'
        | '5'
        | '15'
        | '30'
        | '60'
        | '1D'
        | 'D'
        | '1W'
        | 'W'
        | '1M'
        | 'M';
    };
    answer: { type: 'ok'; message: Schemas['PostApiMarketGet_currentMessage']; request_id: string };
  };
  /** Rates of approximate values */
  'GET /api/market/rates': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiMarketRatesMessage']; request_id: string };
  };
  /** Public keys of the recorded prices with their periods, oldest first */
  'GET /api/market/tick_keys': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiMarketTick_keysMessage']; request_id: string };
  };
  /** Recorded prices of one pair and day (UTC), lines of JSON, gzip; the last line signs the last hash */
  'GET /api/market/ticks/day': { fields: { match_id: number; day: string }; answer: Schemas['Refusal'] };
  /** Trades of one pair by time, newest first unless `order` says otherwise */
  'GET /api/market/trades': {
    fields: {
      legal_id: number;
      currency_id: number;
      before?: string;
      limit?: number;
      from?: number;
      to?: number;
      order?: 'asc' | 'desc';
    };
    answer: { type: 'ok'; message: Schemas['GetApiMarketTradesMessage']; request_id: string };
  };
  /** Own contracts, the newest first */
  'GET /api/microtrade/lists': {
    fields: { page?: number; limit?: number; page_size?: number; status?: 1 | 3; match_id?: number };
    answer: { type: 'ok'; message: Schemas['GetApiMicrotradeListsMessage']; request_id: string };
  };
  /** List coins for stakes */
  'GET /api/microtrade/payable_currencies': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiMicrotradePayable_currenciesMessage']; request_id: string };
  };
  /** Get the receipt of an own contract, which anybody can verify */
  'GET /api/microtrade/receipt': {
    fields: { id: string };
    answer: { type: 'ok'; message: Schemas['MicroReceipt']; request_id: string };
  };
  /** Durations on offer */
  'GET /api/microtrade/seconds': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiMicrotradeSecondsMessage']; request_id: string };
  };
  /** Open a seconds contract */
  'POST /api/microtrade/submit': {
    fields: { number: string; match_id: number; currency_id: number; type: 1 | 2; seconds: number; client_id?: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'miscro.success';
      id: Schemas['OrderId'];
      order: Schemas['MicroOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Recorded prices of a market, chained and signed */
  'GET /api/microtrade/ticks': {
    fields: { match_id: number; from: number; to: number };
    answer: { type: 'ok'; message: Schemas['TickChain']; request_id: string };
  };
  /** Own deposit address on Ethereum */
  'GET /api/money/rechange': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiMoneyRechangeMessage']; request_id: string };
  };
  /** One news item */
  'POST /api/news/detail': {
    fields: { id: number };
    answer: { type: 'ok'; message: Schemas['News']; request_id: string };
  };
  /** News of one category */
  'POST /api/news/list': {
    fields: { c_id: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['PostApiNewsListMessage']; request_id: string };
  };
  /** Get an own notice, and mark it as read */
  'POST /api/notice/detail': {
    fields: { id: number };
    answer: { type: 'ok'; message: Schemas['Notice']; request_id: string };
  };
  /** Own notices, the newest first */
  'POST /api/notice/list': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: {
      type: 'ok';
      message: Schemas['PostApiNoticeListMessage'];
      unread: Schemas['PostApiNoticeListUnread'];
      request_id: string;
    };
  };
  /** This interface as OpenAPI */
  'GET /api/openapi.json': { fields: Record<never, never>; answer: Record<string, unknown> };
  /** List own paid rebates, newest first */
  'GET /api/profits/show_profits': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiProfitsShow_profitsMessage']; request_id: string };
  };
  /** Switch on push messages for a device, or renew its registration */
  'POST /api/push/add': {
    fields: {
      endpoint: string;
      p256dh: string;
      auth: string;
      label?: string;
      trades?: 0 | 1;
      deals?: 0 | 1;
      account?: 0 | 1;
      alerts?: 0 | 1;
    };
    answer: { type: 'ok'; message: Schemas['PushDevice']; request_id: string };
  };
  /** Set the price alerts of a device */
  'POST /api/push/alerts': {
    fields: { id: number; alerts: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** List devices with push messages, and the key for registrations */
  'GET /api/push/devices': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PushDevices']; request_id: string };
  };
  /** Switch off push messages for a device */
  'POST /api/push/remove': {
    fields: { id: number };
    answer: { type: 'ok'; message: string; key: 'push.off'; request_id: string };
  };
  /** Displayed pairs, the highest volume first */
  'POST /api/quotation': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PostApiQuotationMessage']; request_id: string };
  };
  /** Quotations by quote currency */
  'GET /api/quotation_new': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiQuotation_newMessage']; request_id: string };
  };
  /** Quotations by quote currency */
  'POST /api/quotation_new': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PostApiQuotation_newMessage']; request_id: string };
  };
  /** Set the word that every letter to this person shows */
  'POST /api/safe/anti_phishing': {
    fields: { word: string };
    answer: { type: 'ok'; message: string; key: 'phishing.saved'; request_id: string };
  };
  /** Bind an e-mail address by a code sent to it */
  'POST /api/safe/email': {
    fields: { email: string; code: string };
    answer: { type: 'ok'; message: string; key: 'bind.email'; request_id: string };
  };
  /** Stop trading and withdrawals until support lifts it */
  'POST /api/safe/freeze': {
    fields: { password: string };
    answer: { type: 'ok'; message: string; key: 'freeze.done'; request_id: string };
  };
  /** Check whether a fund password is set */
  'POST /api/safe/judge_password': {
    fields: Record<never, never>;
    answer: {
      type: 'ok';
      message: string;
      key: 'fund.set';
      is_set: Schemas['PostApiSafeJudge_passwordIs_set'];
      request_id: string;
    };
  };
  /** Bind a phone number by a code sent to it */
  'POST /api/safe/mobile': {
    fields: { mobile: string; area_code?: string; country_code?: string; code: string };
    answer: { type: 'ok'; message: string; key: 'bind.mobile'; request_id: string };
  };
  /** Remove an own passkey */
  'POST /api/safe/passkey_disable': {
    fields: { id: string; password: string };
    answer: { type: 'ok'; message: string; key: 'passkey.disabled'; request_id: string };
  };
  /** Register the passkey that the browser created */
  'POST /api/safe/passkey_enable': {
    fields: { label: string; passkey: string };
    answer: { type: 'ok'; message: string; key: 'passkey.enabled'; passkey: Schemas['PasskeyRow']; request_id: string };
  };
  /** Rename an own passkey */
  'POST /api/safe/passkey_rename': {
    fields: { id: string; label: string };
    answer: { type: 'ok'; message: string; key: 'passkey.renamed'; request_id: string };
  };
  /** Get options to create a passkey; it is in force after its answer is accepted */
  'POST /api/safe/passkey_setup': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PasskeyCreation']; request_id: string };
  };
  /** Own passkeys */
  'GET /api/safe/passkeys': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiSafePasskeysMessage']; request_id: string };
  };
  /** Remove the authenticator */
  'POST /api/safe/totp_disable': {
    fields: { totp_code: string; password: string };
    answer: { type: 'ok'; message: string; key: 'totp.disabled'; request_id: string };
  };
  /** Confirm the authenticator by its first code */
  'POST /api/safe/totp_enable': {
    fields: { totp_code: string };
    answer: { type: 'ok'; message: string; key: 'totp.enabled'; request_id: string };
  };
  /** Create an authenticator secret; it is in force after its first code is confirmed */
  'POST /api/safe/totp_setup': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['TotpSetup']; request_id: string };
  };
  /** Set or reset the fund password by a code */
  'POST /api/safe/update_password': {
    fields: { password?: string; re_password?: string; code?: string };
    answer: { type: 'ok'; message: string; key: 'fund.saved'; request_id: string };
  };
  /** Set the currency of approximate values */
  'POST /api/set/currency': {
    fields: { currency: 'USD' | 'EUR' | 'CNY' | 'JPY' | 'GBP' | 'BRL' | 'TRY' | 'BTC' };
    answer: { type: 'ok'; message: string; key: 'currency.saved'; request_id: string };
  };
  /** Set the language of texts */
  'POST /api/set/lang': {
    fields: {
      lang:
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
    };
    answer: { type: 'ok'; message: string; key: 'lang.saved'; request_id: string };
  };
  /** Set preferences of the screens; they follow the account */
  'POST /api/set/preferences': {
    fields: {
      theme?: 'dark' | 'white';
      palette?: 'classic' | 'swapped' | 'colorblind';
      time_zone?: 'local' | 'utc';
      ask_order?: 0 | 1;
      ask_position?: 0 | 1;
      ask_close?: 0 | 1;
      sound?: 0 | 1;
      keys?: 0 | 1;
      favourites?: string[];
      spot_layout?: string;
      lever_layout?: string;
    };
    answer: { type: 'ok'; message: string; key: 'preferences.saved'; request_id: string };
  };
  /** Send a code by e-mail */
  'POST /api/sms_mail': {
    fields: {
      user_string: string;
      area_code?: string;
      country_code?: string;
      scene?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      type?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'code.sent';
      seconds: Schemas['PostApiSms_mailSeconds'];
      request_id: string;
    };
  };
  /** Send a code by text message */
  'POST /api/sms_send': {
    fields: {
      user_string: string;
      area_code?: string;
      country_code?: string;
      scene?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      type?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'code.sent';
      seconds: Schemas['PostApiSms_sendSeconds'];
      request_id: string;
    };
  };
  /** Get the last proof of liabilities and assets */
  'GET /api/solvency/latest': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['SolvencySnapshot']; request_id: string };
  };
  /** Own place in the sum of all balances of a coin */
  'GET /api/solvency/proof': {
    fields: { currency: string; snapshot_id?: number };
    answer: { type: 'ok'; message: Schemas['SolvencyProof']; request_id: string };
  };
  /** Own balances against the sums of their journals */
  'GET /api/statement/check': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['StatementCheck']; request_id: string };
  };
  /** Statement as a file */
  'GET /api/statement/export': {
    fields: {
      account?: string;
      currency?: number;
      from?: string;
      to?: string;
      cause_type?: string;
      cause_id?: string;
      format?: 'csv' | 'beancount' | 'hledger' | 'koinly' | 'cointracking';
    };
    answer: Schemas['Refusal'];
  };
  /** Statement by journal, each with its lines */
  'GET /api/statement/journals': {
    fields: {
      account?: string;
      currency?: number;
      from?: string;
      to?: string;
      cause_type?: string;
      cause_id?: string;
      holds?: 0 | 1;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: Schemas['GetApiStatementJournalsMessage']; request_id: string };
  };
  /** Statement by filters */
  'GET /api/statement/list': {
    fields: {
      account?: string;
      currency?: number;
      from?: string;
      to?: string;
      cause_type?: string;
      cause_id?: string;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: Schemas['GetApiStatementListMessage']; request_id: string };
  };
  /** Version, modes of the markets and products, age of the index, latencies, database, auditor, outages */
  'GET /api/status': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['ServerStatus']; request_id: string };
  };
  /** List private events of the last 24 hours after a number */
  'GET /api/stream/since': {
    fields: { user_seq: number };
    answer: { type: 'ok'; message: Schemas['StreamSince']; request_id: string };
  };
  /** Time of the business clock */
  'GET /api/time': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['Millis']; request_id: string };
  };
  /** Get book, last trades and the caller’s available balances of a pair */
  'POST /api/transaction/deal': {
    fields: { legal_id?: number; currency_id?: number; depth?: number };
    answer: { type: 'ok'; message: Schemas['BookAnswer']; request_id: string };
  };
  /** Place a buy */
  'POST /api/transaction/in': {
    fields: {
      legal_id: number;
      currency_id: number;
      order_type?: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
      target_price?: string;
      amount: string;
      time_in_force?: 'GTC' | 'IOC' | 'FOK';
      post_only?: 0 | 1;
      stp?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
      client_order_id?: string;
      stop_price?: string;
      trigger_by?: 'last' | 'mark';
      take_profit?: string;
      stop_loss?: string;
      trail_percent?: string;
      trail_amount?: string;
      activation_price?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.success';
      id: Schemas['OrderId'];
      order: Schemas['SpotOrder'];
      repeated?: Schemas['PostApiCoinTradeRepeated'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Place a sell */
  'POST /api/transaction/out': {
    fields: {
      legal_id: number;
      currency_id: number;
      order_type?: 'limit' | 'market' | 'stop_limit' | 'stop_market' | 'trailing_stop';
      target_price?: string;
      amount: string;
      time_in_force?: 'GTC' | 'IOC' | 'FOK';
      post_only?: 0 | 1;
      stp?: 'cancel_newest' | 'cancel_oldest' | 'cancel_both';
      client_order_id?: string;
      stop_price?: string;
      trigger_by?: 'last' | 'mark';
      take_profit?: string;
      stop_loss?: string;
      trail_percent?: string;
      trail_amount?: string;
      activation_price?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.success';
      id: Schemas['OrderId'];
      order: Schemas['SpotOrder'];
      repeated?: Schemas['PostApiCoinTradeRepeated'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own completed trades */
  'POST /api/transaction_complete': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['PostApiTransaction_completeMessage']; request_id: string };
  };
  /** Cancel an open order of the entrust lists */
  'POST /api/transaction_del': {
    fields: { type: 'in' | 'out'; id: string };
    answer: {
      type: 'ok';
      message: string;
      key: 'trade.cancelled';
      id: Schemas['OrderId'];
      remaining: Schemas['DecimalText'];
      order: Schemas['SpotOrder'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own open buys */
  'POST /api/transaction_in': {
    fields: { page?: number; limit?: number; page_size?: number; currency_id?: number; legal_id?: number };
    answer: { type: 'ok'; message: Schemas['PostApiTransaction_inEntrustsMessage']; request_id: string };
  };
  /** Own open sells */
  'POST /api/transaction_out': {
    fields: { page?: number; limit?: number; page_size?: number; currency_id?: number; legal_id?: number };
    answer: { type: 'ok'; message: Schemas['PostApiTransaction_outEntrustsMessage']; request_id: string };
  };
  /** Upload a picture; the message is its address */
  'POST /api/upload': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PostApiUploadMessage']; request_id: string };
  };
  /** Get a picture by its signed address; pictures of news need no signature */
  'GET /api/upload/{name}': { fields: { name: string; e?: string; s?: string }; answer: Schemas['Refusal'] };
  /** Get a code that signs in another device */
  'GET /api/user/authorization_code': {
    fields: Record<never, never>;
    answer: {
      type: 'ok';
      message: Schemas['GetApiUserAuthorization_codeMessage'];
      expires_in: Schemas['GetApiUserAuthorization_codeExpires_in'];
      request_id: string;
    };
  };
  /** Own payment settings */
  'POST /api/user/cash_info': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PostApiUserCash_infoMessage']; request_id: string };
  };
  /** Save the payment settings; from the second time with the fund password */
  'POST /api/user/cash_save': {
    fields: {
      real_name: string;
      bank_name: string;
      bank_account: string;
      alipay_account: string;
      wechat_account: string;
      wechat_nickname: string;
      alipay_collect?: string;
      wechat_collect?: string;
      password?: string;
    };
    answer: { type: 'ok'; message: string; key: 'cash.saved'; request_id: string };
  };
  /** Own identity, bank and security level */
  'GET /api/user/center': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['Center']; request_id: string };
  };
  /** Check an e-mailed code without using it up */
  'POST /api/user/check_email': {
    fields: {
      user_string?: string;
      area_code?: string;
      country_code?: string;
      scene?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      type?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      email_code: string;
      code?: string;
    };
    answer: { type: 'ok'; message: string; key: 'code.ok'; request_id: string };
  };
  /** Check a texted code without using it up */
  'POST /api/user/check_mobile': {
    fields: {
      user_string?: string;
      area_code?: string;
      country_code?: string;
      scene?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      type?: 'login' | 'register' | 'forget' | 'bind' | 'fund';
      mobile_code: string;
      code?: string;
    };
    answer: { type: 'ok'; message: string; key: 'code.ok'; request_id: string };
  };
  /** Confirm the session for ten minutes by password */
  'POST /api/user/confirm_password': {
    fields: { password: string; totp_code?: string; passkey?: string };
    answer: { type: 'ok'; message: string; key: 'auth.confirmed'; until: Schemas['Millis']; request_id: string };
  };
  /** Sign in by the code of another device; the message is the token */
  'POST /api/user/device_login': {
    fields: {
      user_string: string;
      authorization_code: string;
      area_code?: string;
      country_code?: string;
      totp_code?: string;
      passkey?: string;
    };
    answer: {
      type: 'ok';
      message: Schemas['PostApiUserDevice_loginMessage'];
      id: Schemas['PostApiUserDevice_loginId'];
      request_id: string;
    };
  };
  /** Own level of spot fees */
  'GET /api/user/fee_level': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['FeeLevelView']; request_id: string };
  };
  /** Set a new login password by a code */
  'POST /api/user/forget': {
    fields: {
      account: string;
      code: string;
      password: string;
      area_code?: string;
      country_code?: string;
      repassword?: string;
    };
    answer: { type: 'ok'; message: string; key: 'forget.success'; request_id: string };
  };
  /** Own account */
  'GET /api/user/info': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['UserInfo']; request_id: string };
  };
  /** Log in; the message is the token */
  'POST /api/user/login': {
    fields: {
      user_string: string;
      password: string;
      area_code?: string;
      country_code?: string;
      sms_code?: string;
      totp_code?: string;
      passkey?: string;
    };
    answer: {
      type: 'ok';
      message: Schemas['PostApiUserLoginMessage'];
      id: Schemas['PostApiUserLoginId'];
      request_id: string;
    };
  };
  /** End this session */
  'GET /api/user/logout': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: string; key: 'logout.success'; request_id: string };
  };
  /** End this session */
  'POST /api/user/logout': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: string; key: 'logout.success'; request_id: string };
  };
  /** Sign in by a passkey; the message is the token */
  'POST /api/user/passkey_login': {
    fields: { passkey: string };
    answer: {
      type: 'ok';
      message: Schemas['PostApiUserPasskey_loginMessage'];
      id: Schemas['PostApiUserPasskey_loginId'];
      request_id: string;
    };
  };
  /** Get a challenge for any passkey of this exchange, for a sign-in within two minutes */
  'POST /api/user/passkey_options': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['PasskeyRequest']; request_id: string };
  };
  /** Submit documents for the identity check */
  'POST /api/user/real_name': {
    fields: { name: string; card_id: string; front_pic?: string; reverse_pic?: string; hand_pic?: string };
    answer: { type: 'ok'; message: string; key: 'kyc.submitted'; request_id: string };
  };
  /** People of the own region, masked */
  'GET /api/user/region_users': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiUserRegion_usersMessage']; request_id: string };
  };
  /** Open an account */
  'POST /api/user/register': {
    fields: {
      type: 'mobile' | 'email';
      user_string: string;
      area_code?: string;
      country_code?: string;
      code: string;
      password: string;
      re_password?: string;
      extension_code?: string;
      nationality?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'register.success';
      id: Schemas['PostApiUserRegisterId'];
      request_id: string;
    };
  };
  /** End one of the own sessions */
  'POST /api/user/session_revoke': {
    fields: { id: string };
    answer: { type: 'ok'; message: string; key: 'common.success'; request_id: string };
  };
  /** List own active sessions */
  'GET /api/user/sessions': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['GetApiUserSessionsMessage']; request_id: string };
  };
  /** Bind a bank account */
  'POST /api/user/set_bank_account': {
    fields: { real_name: string; bank_no: string; bank_name: string; region: string; phone: string };
    answer: { type: 'ok'; message: string; key: 'bank.saved'; request_id: string };
  };
  /** Move an amount between two own accounts */
  'POST /api/wallet/change': {
    fields: {
      number: string;
      currency_id: number;
      from_field?: 'change' | 'legal' | 'lever' | 'micro';
      to_field?: 'change' | 'legal' | 'lever' | 'micro';
      type?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'transfer.success';
      id: Schemas['OrderId'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Own claims */
  'GET /api/wallet/charge_list': {
    fields: { currency?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiWalletCharge_listMessage']; request_id: string };
  };
  /** Claim that a deposit is missing; credits nothing */
  'POST /api/wallet/charge_req': {
    fields: { amount: string; currency: number; account: string };
    answer: { type: 'ok'; message: string; key: 'wallet.chargeReceived'; id: Schemas['OrderId']; request_id: string };
  };
  /** Delete a bound address */
  'POST /api/wallet/deladdress': {
    fields: { address_id: number };
    answer: { type: 'ok'; message: string; key: 'wallet.addressRemoved'; request_id: string };
  };
  /** Send back a deposit that is too small */
  'POST /api/wallet/deposit_return': {
    fields: { id: string; address: string; password?: string; totp_code?: string };
    answer: { type: 'ok'; message: string; key: 'wallet.depositReturned'; command_id?: string; request_id: string };
  };
  /** Own deposits */
  'GET /api/wallet/deposits': {
    fields: { currency?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiWalletDepositsMessage']; request_id: string };
  };
  /** Own balances of one coin */
  'POST /api/wallet/detail': {
    fields: { currency: number };
    answer: {
      type: 'ok';
      message: Schemas['PostApiWalletDetailMessage'];
      is_open_CTbi: Schemas['Flag'];
      request_id: string;
    };
  };
  /** Worth and profit of all own accounts by day */
  'GET /api/wallet/equity': {
    fields: { days?: 7 | 30 | 90 | 365 };
    answer: { type: 'ok'; message: Schemas['EquityHistory']; request_id: string };
  };
  /** Own bound withdrawal addresses of a coin */
  'POST /api/wallet/get_address': {
    fields: { currency: number };
    answer: { type: 'ok'; message: Schemas['PostApiWalletGet_addressMessage']; request_id: string };
  };
  /** Get the own deposit address of a coin; it is the message */
  'POST /api/wallet/get_in_address': {
    fields: { currency: number; type?: number };
    answer: {
      type: 'ok';
      message: Schemas['PostApiWalletGet_in_addressMessage'];
      memo: Schemas['PostApiWalletGet_in_addressMemo'];
      min_deposit: Schemas['DecimalText'];
      confirmations: Schemas['PostApiWalletGet_in_addressConfirmations'];
      note: Schemas['PostApiWalletGet_in_addressNote'];
      request_id: string;
    };
  };
  /** Balances and networks of a coin */
  'POST /api/wallet/get_info': {
    fields: { currency: number };
    answer: { type: 'ok'; message: Schemas['CoinInfo']; request_id: string };
  };
  /** List holds on own balances with their reasons */
  'GET /api/wallet/holds': {
    fields: { currency?: number };
    answer: { type: 'ok'; message: Schemas['GetApiWalletHoldsMessage']; request_id: string };
  };
  /** Own transfers */
  'GET /api/wallet/hzhistory': {
    fields: { page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiWalletHzhistoryMessage']; request_id: string };
  };
  /** Statement of one coin on one account */
  'POST /api/wallet/legal_log': {
    fields: {
      type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
      currency: number;
      page?: number;
      limit?: number;
      page_size?: number;
    };
    answer: { type: 'ok'; message: Schemas['PostApiWalletLegal_logMessage']; request_id: string };
  };
  /** Own balances by account */
  'GET /api/wallet/list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['WalletList']; request_id: string };
  };
  /** Own balances by account */
  'POST /api/wallet/list': {
    fields: Record<never, never>;
    answer: { type: 'ok'; message: Schemas['WalletList']; request_id: string };
  };
  /** Withdraw to a bound address */
  'POST /api/wallet/out': {
    fields: {
      address: string;
      number: string;
      currency: number;
      type?: string;
      memo?: string;
      pay_password?: string;
      totp_code?: string;
    };
    answer: {
      type: 'ok';
      message: string;
      key: 'wallet.outSubmitted';
      id: Schemas['OrderId'];
      withdrawal: Schemas['Withdrawal'];
      command_id?: string;
      request_id: string;
    };
  };
  /** Cancel a withdrawal under review */
  'POST /api/wallet/out_cancel': {
    fields: { id: string };
    answer: { type: 'ok'; message: string; key: 'wallet.outCancelled'; command_id?: string; request_id: string };
  };
  /** Own withdrawals */
  'GET /api/wallet/out_list': {
    fields: { currency?: number; page?: number; limit?: number; page_size?: number };
    answer: { type: 'ok'; message: Schemas['GetApiWalletOut_listMessage']; request_id: string };
  };
  /** Get the signed fields of BindDrawAddress */
  'POST /api/wallet/sign_draw_address': {
    fields: { address: string; coin_name: string; contract_address?: string; memo?: string; verification_code: string };
    answer: { type: 'ok'; message: Schemas['PostApiWalletSign_draw_addressMessage']; request_id: string };
  };
  /** GET /healthz */
  'GET /healthz': { fields: Record<never, never>; answer: string };
  /** GET /metrics */
  'GET /metrics': { fields: Record<never, never>; answer: string };
  /** GET /readyz */
  'GET /readyz': { fields: Record<never, never>; answer: string };
  /** Own deposit addresses by coin */
  'POST /upi/usdt/account': {
    fields: { pageSize?: number; keywords?: string };
    answer: Schemas['PostUpiUsdtAccountFile'];
  };
  /** Bind a withdrawal address */
  'POST /walletMiddle/BindDrawAddress': {
    fields: { data?: string; signature?: string };
    answer: Schemas['PostWalletMiddleBindDrawAddressFile'];
  };
  /** Own bound addresses of a coin by its name */
  'GET /walletMiddle/GetDrawAddress': {
    fields: { user_id?: string; coin_name: string; contract_address?: string };
    answer: Schemas['GetWalletMiddleGetDrawAddressFile'];
  };
  /** Send the code that binds a withdrawal address */
  'GET /walletMiddle/SendVerificationcode': {
    fields: { user_id?: string };
    answer: Schemas['GetWalletMiddleSendVerificationcodeFile'];
  };
}
