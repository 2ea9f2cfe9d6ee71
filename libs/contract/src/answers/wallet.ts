import type { DecimalText, Flag, OrderId, TimeText } from './values.js';

/** Answers of wallet-ledger (api §2.2). Balances are available amounts, `lock_*` held ones. */
export interface CoinBalance {
  currency: number; currency_name: string; change_balance: DecimalText; lock_change_balance: DecimalText; legal_balance: DecimalText; lock_legal_balance: DecimalText;
  lever_balance: DecimalText; lock_lever_balance: DecimalText; micro_balance: DecimalText; lock_micro_balance: DecimalText; usdt_price: DecimalText;
  is_match: Flag; is_legal: Flag; is_lever: Flag; is_micro: Flag; multi_protocol: Flag; contract_address: string; is_show_memo: Flag; currency_type: 'coin' | 'token'; ExRate: DecimalText;
}
export interface WalletGroup { balance: CoinBalance[]; usdt_totle: DecimalText }
export interface WalletList {
  account_number: string; total_assets: DecimalText; list: { token: string; balance: DecimalText; lock_balance: DecimalText }[];
  change_wallet: WalletGroup; legal_wallet: WalletGroup; lever_wallet: WalletGroup; micro_wallet: WalletGroup; is_open_CTbi: Flag;
}
export interface UserCurrency {
  id: number; name: string; is_legal: Flag; is_lever: Flag; is_match: Flag; is_micro: Flag;
  wallet: { lever_balance: DecimalText; micro_balance: DecimalText; change_balance: DecimalText; legal_balance: DecimalText };
}
/** One line of a statement; `value` is signed. */
export interface WalletLog {
  id: OrderId; value: DecimalText; info: string; created_time: TimeText; currency_id: number; currency_name: string; account: string; state: 'available' | 'held';
  balance_after: DecimalText; journal_id: OrderId; cause_type: string; cause_id: string; is_fee: Flag;
}
export interface Transfer { id: OrderId; currency_id: number; currency_name: string; type: string; from_field: string; to_field: string; number: DecimalText; create_time: TimeText }
export interface HoldLine { account: string; currency_name: string; amount: DecimalText; cause_type: string; cause_id: string; info: string }
export type Product = 'change' | 'legal' | 'lever' | 'micro';
