import type { DecimalText, Flag, OrderId, TimeText } from './values.js';

/** Answers of wallet-ledger (api §2.2). Balances are available amounts, `lock_*` held ones. */
export interface CoinBalance {
  currency: number;
  currency_name: string;
  change_balance: DecimalText;
  lock_change_balance: DecimalText;
  legal_balance: DecimalText;
  lock_legal_balance: DecimalText;
  lever_balance: DecimalText;
  lock_lever_balance: DecimalText;
  micro_balance: DecimalText;
  lock_micro_balance: DecimalText;
  usdt_price: DecimalText;
  is_match: Flag;
  is_legal: Flag;
  is_lever: Flag;
  is_micro: Flag;
  multi_protocol: Flag;
  contract_address: string;
  is_show_memo: Flag;
  currency_type: 'coin' | 'token';
  ExRate: DecimalText;
}
export interface WalletGroup {
  balance: CoinBalance[];
  usdt_totle: DecimalText;
}
export interface WalletList {
  account_number: string;
  total_assets: DecimalText;
  list: { token: string; balance: DecimalText; lock_balance: DecimalText }[];
  change_wallet: WalletGroup;
  legal_wallet: WalletGroup;
  lever_wallet: WalletGroup;
  micro_wallet: WalletGroup;
  is_open_CTbi: Flag;
}
export interface UserCurrency {
  id: number;
  name: string;
  is_legal: Flag;
  is_lever: Flag;
  is_match: Flag;
  is_micro: Flag;
  wallet: {
    lever_balance: DecimalText;
    micro_balance: DecimalText;
    change_balance: DecimalText;
    legal_balance: DecimalText;
  };
}
/** One line of a statement; `value` is signed. */
export interface WalletLog {
  id: OrderId;
  value: DecimalText;
  info: string;
  created_time: TimeText;
  currency_id: number;
  currency_name: string;
  account: string;
  state: 'available' | 'held';
  balance_after: DecimalText;
  journal_id: OrderId;
  cause_type: string;
  cause_id: string;
  is_fee: Flag;
}
export interface Transfer {
  id: OrderId;
  currency_id: number;
  currency_name: string;
  type: string;
  from_field: string;
  to_field: string;
  number: DecimalText;
  create_time: TimeText;
}
export interface HoldLine {
  account: string;
  currency_name: string;
  amount: DecimalText;
  cause_type: string;
  cause_id: string;
  info: string;
}
export type Product = 'change' | 'legal' | 'lever' | 'micro';

/** One network of a coin, with the figures of a payment on it: amounts in the coin, `rate` in percent. */
export interface TypeData {
  id: number;
  type: string;
  name: string;
  contract_address: string;
  min_number: DecimalText;
  rate: DecimalText;
  min_deposit: DecimalText;
}
export interface CoinInfo {
  currency: number;
  name: string;
  change_balance: DecimalText;
  legal_balance: DecimalText;
  bank_account: string;
  wallet_data: { currency: number; label: string };
  /** 2: payments carry a memo. */
  make_wallet: 1 | 2;
  multi_protocol: Flag;
  type_data: TypeData[];
  min_number: DecimalText;
  rate: DecimalText;
  extension_code: string;
  type: string;
}
/** What `get_in_address` adds beside the address, which is its message. */
export interface DepositAddressExtra {
  memo: string;
  min_deposit: DecimalText;
  confirmations: number;
}
export interface BoundAddress {
  id: number;
  address_id: number;
  address: string;
  coin_name: string;
  currency: number;
  type: number;
  contract_address: string;
  memo: string;
  created_at: TimeText;
  usable_at: TimeText;
}
export type WithdrawalState = 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
export interface Withdrawal {
  id: OrderId;
  currency_id: number;
  currency_name: string;
  number: DecimalText;
  fee: DecimalText;
  received: DecimalText;
  address: string;
  memo: string;
  type: number;
  status: 1 | 2 | 3;
  state: WithdrawalState;
  tx_id: string;
  confirmations: number;
  reason: string;
  create_time: TimeText;
  update_time: TimeText;
}
/** A claim: 1 unreviewed, 2 matched to a deposit, 3 refused, 4 closed without credit. It never credits. */
export interface ChargeReq {
  id: OrderId;
  currency: number;
  amount: DecimalText;
  account: string;
  status: 1 | 2 | 3 | 4;
  create_time: TimeText;
}
export type DepositState = 'seen' | 'held' | 'credited' | 'returned';
export interface Deposit {
  id: OrderId;
  currency: number;
  currency_name: string;
  type: number;
  amount: DecimalText;
  tx_id: string;
  confirmations: number;
  needed: number;
  state: DepositState;
  create_time: TimeText;
}
/** The caller's own addresses of one coin, as `/upi/usdt/account` lists them. */
export interface AccountAddresses {
  currency_id: number;
  name: string;
  addressErc: string;
  addressTrc: string;
  ercName: string;
  trcName: string;
}

/** One account with the sum of its journals (`statement/check`). */
export interface CheckedAccount {
  account: string;
  state: string;
  currency: string;
  balance: DecimalText;
  sum: DecimalText;
}
export interface StatementCheck {
  ok: Flag;
  accounts: CheckedAccount[];
}
export interface SolvencyCoin {
  currency: string;
  liabilities: DecimalText;
  assets: DecimalText;
  leaves: number;
  root_hash: string;
}
export interface SolvencySnapshot {
  snapshot_id: number;
  time: TimeText;
  simulated_assets: Flag;
  currencies: SolvencyCoin[];
}
/**
 * A person's place in the sum of all balances of a coin (rules 8.7). `side` is the sibling's; sums have no exponent and
 * no trailing zeros.
 */
export interface SolvencyProof {
  snapshot_id: number;
  currency: string;
  leaf: { nonce: string; balance: DecimalText; hash: string };
  path: { side: 'L' | 'R'; hash: string; sum: DecimalText }[];
  root_hash: string;
  root_sum: DecimalText;
}
