import * as z from 'zod/mini';
import { decimalText, flag, millis, orderId, timeText } from './values.js';

/** Answers of wallet-ledger (api §2.2). Balances are available amounts, `lock_*` held ones. */
export const coinBalance = z.object({
  currency: z.int(),
  currency_name: z.string(),
  change_balance: decimalText,
  lock_change_balance: decimalText,
  legal_balance: decimalText,
  lock_legal_balance: decimalText,
  lever_balance: decimalText,
  lock_lever_balance: decimalText,
  micro_balance: decimalText,
  lock_micro_balance: decimalText,
  usdt_price: decimalText,
  is_match: flag,
  is_legal: flag,
  is_lever: flag,
  is_micro: flag,
  multi_protocol: flag,
  contract_address: z.string(),
  is_show_memo: flag,
  currency_type: z.enum(['coin', 'token']),
  ExRate: decimalText,
});
export type CoinBalance = z.output<typeof coinBalance>;
export const walletGroup = z.object({
  balance: z.array(coinBalance),
  usdt_totle: decimalText,
});
export type WalletGroup = z.output<typeof walletGroup>;
export const walletList = z.object({
  account_number: z.string(),
  total_assets: decimalText,
  list: z.array(
    z.object({
      token: z.string(),
      balance: decimalText,
      lock_balance: decimalText,
    }),
  ),
  change_wallet: walletGroup,
  legal_wallet: walletGroup,
  lever_wallet: walletGroup,
  micro_wallet: walletGroup,
  is_open_CTbi: flag,
});
export type WalletList = z.output<typeof walletList>;
export const userCurrency = z.object({
  id: z.int(),
  name: z.string(),
  is_legal: flag,
  is_lever: flag,
  is_match: flag,
  is_micro: flag,
  wallet: z.object({
    lever_balance: decimalText,
    micro_balance: decimalText,
    change_balance: decimalText,
    legal_balance: decimalText,
  }),
});
export type UserCurrency = z.output<typeof userCurrency>;
/** One line of a statement; `value` is signed. */
export const walletLog = z.object({
  id: orderId,
  value: decimalText,
  info: z.string(),
  created_time: timeText,
  currency_id: z.int(),
  currency_name: z.string(),
  account: z.string(),
  state: z.enum(['available', 'held']),
  balance_after: decimalText,
  journal_id: orderId,
  cause_type: z.string(),
  cause_id: z.string(),
  is_fee: flag,
});
export type WalletLog = z.output<typeof walletLog>;
/**
 * The change of one account by a journal. Amounts are signed: `value` without the fee, of which `held` is the part that
 * changed the held amount, and `fee` beside it.
 */
export const accountChange = z.object({
  account: z.string(),
  currency_id: z.int(),
  currency_name: z.string(),
  value: decimalText,
  held: decimalText,
  fee: decimalText,
});
export type AccountChange = z.output<typeof accountChange>;
/** One journal of a statement with its lines; `is_hold`: it only holds funds or returns held ones. */
export const statementJournal = z.object({
  id: orderId,
  created_time: timeText,
  info: z.string(),
  cause_type: z.string(),
  cause_id: z.string(),
  is_hold: flag,
  changes: z.array(accountChange),
  lines: z.array(walletLog),
});
export type StatementJournal = z.output<typeof statementJournal>;
export const transfer = z.object({
  id: orderId,
  currency_id: z.int(),
  currency_name: z.string(),
  type: z.string(),
  from_field: z.string(),
  to_field: z.string(),
  number: decimalText,
  create_time: timeText,
});
export type Transfer = z.output<typeof transfer>;
export const holdLine = z.object({
  account: z.string(),
  currency_name: z.string(),
  amount: decimalText,
  cause_type: z.string(),
  cause_id: z.string(),
  info: z.string(),
});
export type HoldLine = z.output<typeof holdLine>;
export const product = z.enum(['change', 'legal', 'lever', 'micro']);
export type Product = z.output<typeof product>;
/** One network of a coin, with the figures of a payment on it: amounts in the coin, `rate` in percent. */
export const typeData = z.object({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  contract_address: z.string(),
  min_number: decimalText,
  rate: decimalText,
  min_deposit: decimalText,
});
export type TypeData = z.output<typeof typeData>;
export const coinInfo = z.object({
  currency: z.int(),
  name: z.string(),
  change_balance: decimalText,
  legal_balance: decimalText,
  bank_account: z.string(),
  wallet_data: z.object({
    currency: z.int(),
    label: z.string(),
  }),
  /** 2: payments carry a memo. */
  make_wallet: z.literal([1, 2]),
  multi_protocol: flag,
  type_data: z.array(typeData),
  min_number: decimalText,
  rate: decimalText,
  extension_code: z.string(),
  type: z.string(),
});
export type CoinInfo = z.output<typeof coinInfo>;
/** The fields that `get_in_address` returns beside the address, which is its message. */
export const depositAddressExtra = z.object({
  memo: z.string(),
  min_deposit: decimalText,
  confirmations: z.int(),
  /** Notes for depositors on this network, a sentence a line, in the language of the call. */
  note: z.string(),
});
export type DepositAddressExtra = z.output<typeof depositAddressExtra>;
export const boundAddress = z.object({
  id: z.int(),
  address_id: z.int(),
  address: z.string(),
  coin_name: z.string(),
  currency: z.int(),
  type: z.int(),
  contract_address: z.string(),
  memo: z.string(),
  created_at: timeText,
  usable_at: timeText,
});
export type BoundAddress = z.output<typeof boundAddress>;
export const withdrawalState = z.enum(['review', 'sending', 'done', 'failed', 'cancelled']);
export type WithdrawalState = z.output<typeof withdrawalState>;
export const withdrawal = z.object({
  id: orderId,
  currency_id: z.int(),
  currency_name: z.string(),
  number: decimalText,
  fee: decimalText,
  received: decimalText,
  address: z.string(),
  memo: z.string(),
  type: z.int(),
  status: z.literal([1, 2, 3]),
  state: withdrawalState,
  tx_id: z.string(),
  confirmations: z.int(),
  reason: z.string(),
  create_time: timeText,
  update_time: timeText,
  ts: millis,
  updated_ts: millis,
});
export type Withdrawal = z.output<typeof withdrawal>;
/** A claim: 1 unreviewed, 2 matched to a deposit, 3 refused, 4 closed without credit. It never credits. */
export const chargeReq = z.object({
  id: orderId,
  currency: z.int(),
  amount: decimalText,
  account: z.string(),
  status: z.literal([1, 2, 3, 4]),
  create_time: timeText,
});
export type ChargeReq = z.output<typeof chargeReq>;
export const depositState = z.enum(['seen', 'held', 'credited', 'returned']);
export type DepositState = z.output<typeof depositState>;
export const deposit = z.object({
  id: orderId,
  currency: z.int(),
  currency_name: z.string(),
  type: z.int(),
  amount: decimalText,
  tx_id: z.string(),
  confirmations: z.int(),
  needed: z.int(),
  state: depositState,
  create_time: timeText,
  ts: millis,
  updated_ts: millis,
});
export type Deposit = z.output<typeof deposit>;
/** The caller's own addresses of one coin, as `/upi/usdt/account` lists them. */
export const accountAddresses = z.object({
  currency_id: z.int(),
  name: z.string(),
  addressErc: z.string(),
  addressTrc: z.string(),
  ercName: z.string(),
  trcName: z.string(),
});
export type AccountAddresses = z.output<typeof accountAddresses>;
/** One account with the sum of its journals (`statement/check`). */
export const checkedAccount = z.object({
  account: z.string(),
  state: z.string(),
  currency: z.string(),
  balance: decimalText,
  sum: decimalText,
});
export type CheckedAccount = z.output<typeof checkedAccount>;
export const statementCheck = z.object({
  ok: flag,
  accounts: z.array(checkedAccount),
});
export type StatementCheck = z.output<typeof statementCheck>;
export const solvencyCoin = z.object({
  currency: z.string(),
  liabilities: decimalText,
  assets: decimalText,
  leaves: z.int(),
  root_hash: z.string(),
});
export type SolvencyCoin = z.output<typeof solvencyCoin>;
export const solvencySnapshot = z.object({
  snapshot_id: z.int(),
  time: timeText,
  simulated_assets: flag,
  currencies: z.array(solvencyCoin),
});
export type SolvencySnapshot = z.output<typeof solvencySnapshot>;
/**
 * A person's leaf in the sum tree of all balances of a coin (rules 8.7). `side` is the sibling's; sums have no exponent
 * and no trailing zeros.
 */
export const solvencyProof = z.object({
  snapshot_id: z.int(),
  currency: z.string(),
  leaf: z.object({
    nonce: z.string(),
    balance: decimalText,
    hash: z.string(),
  }),
  path: z.array(
    z.object({
      side: z.enum(['L', 'R']),
      hash: z.string(),
      sum: decimalText,
    }),
  ),
  root_hash: z.string(),
  root_sum: decimalText,
});
export type SolvencyProof = z.output<typeof solvencyProof>;
/** Worth of all accounts in USDT at the end of each day (UTC), the newest last; the last day is not over. */
export const equityHistory = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      equity: decimalText,
      /** Deposits less withdrawals and deals. */
      deposits: decimalText,
      /** equity − equity of the day before − deposits. */
      profit: decimalText,
    }),
  ),
});
export type EquityHistory = z.output<typeof equityHistory>;
