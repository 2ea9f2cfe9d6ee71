import { SEED_NETWORKS, type ChainName, type NetworkRow } from '@bourse/contract';
import type { Database, Tx } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { Networks, type VersionedNetwork } from '../application/networks.js';
import { isAddress, normalAddress } from '../domain/address/index.js';

interface Row {
  id: number;
  currency_id: number;
  chain: ChainName;
  type: string;
  name: string;
  contract_address: string;
  chain_scale: number;
  memo: boolean;
  min_withdrawal: string;
  fee_rate: string;
  min_deposit: string;
  confirmations: number;
  open_deposit: boolean;
  open_withdraw: boolean;
  note: Record<string, string>;
  version: number;
}

const COLUMNS =
  'id, currency_id, chain, type, name, contract_address, chain_scale, memo, min_withdrawal::text, ' +
  'fee_rate::text, min_deposit::text, confirmations, open_deposit, open_withdraw, note, version';

/**
 * Networks of this install: those of a fresh one are stored at the first start; `NETWORK_OVERRIDES` replaces values
 * without storing them.
 * @throws Error when the settings name an unknown network, or a contract that is no address of its chain.
 */
export async function loadNetworks(
  database: Database,
  { networkOverrides }: Pick<Config, 'networkOverrides'>,
): Promise<Networks> {
  await database.execute(
    `insert into network (id, currency_id, chain, type, name, contract_address, chain_scale, memo, min_withdrawal,
      fee_rate, min_deposit, confirmations, place)
    select id, "currencyId", chain, type, name, "contractAddress", "chainScale", memo, "minWithdrawal", "feeRate",
      "minDeposit", confirmations, id
    from jsonb_to_recordset($1::jsonb) as seed (id integer, "currencyId" integer, chain text, type text, name text,
      "contractAddress" text, "chainScale" smallint, memo boolean, "minWithdrawal" numeric, "feeRate" numeric,
      "minDeposit" numeric, confirmations smallint)
    on conflict do nothing`,
    [JSON.stringify(SEED_NETWORKS)],
  );
  const rows = (
    await database.query<Row & Record<string, unknown>>(
      `select ${COLUMNS} from network order by currency_id, place, id`,
    )
  ).map(networkOf);
  const unknown = Object.keys(networkOverrides).find((id) => !rows.some((row) => String(row.id) === id));
  if (unknown !== undefined) throw new Error(`NETWORK_OVERRIDES names network ${unknown}; there is none`);
  return new Networks(rows, (row) => {
    const { contract_address: contract, confirmations } = networkOverrides[row.id] ?? {};
    return {
      ...row,
      contractAddress: contractOf(row, contract ?? row.contractAddress),
      confirmations: confirmations ?? row.confirmations,
    };
  });
}

/** One stored network, locked; null: it does not exist. */
export async function lockNetwork(tx: Tx, id: number): Promise<VersionedNetwork | null> {
  const [row] = await tx.query<Row & Record<string, unknown>>(
    `select ${COLUMNS} from network where id = $1 for update`,
    [id],
  );
  return row ? networkOf(row) : null;
}

/** Stores the fields of a network that operators may change. */
export async function storeNetwork(tx: Tx, row: VersionedNetwork): Promise<void> {
  await tx.execute(
    `update network
      set min_withdrawal = $2, fee_rate = $3, min_deposit = $4, confirmations = $5, open_deposit = $6,
        open_withdraw = $7, note = $8, version = $9
     where id = $1`,
    [
      row.id,
      row.minWithdrawal,
      row.feeRate,
      row.minDeposit,
      row.confirmations,
      row.openDeposit,
      row.openWithdraw,
      JSON.stringify(row.note),
      row.version,
    ],
  );
}

const networkOf = (row: Row): VersionedNetwork => ({
  id: row.id,
  currencyId: row.currency_id,
  chain: row.chain,
  type: row.type,
  name: row.name,
  contractAddress: row.contract_address,
  chainScale: row.chain_scale,
  memo: row.memo,
  minWithdrawal: row.min_withdrawal,
  feeRate: row.fee_rate,
  minDeposit: row.min_deposit,
  confirmations: row.confirmations,
  openDeposit: row.open_deposit,
  openWithdraw: row.open_withdraw,
  note: row.note,
  version: row.version,
});

/** The contract in the chain's own form, so that it can be compared with the contents of blocks. */
function contractOf({ id, chain }: Pick<NetworkRow, 'id' | 'chain'>, text: string): string {
  if (text === '') return '';
  if (!isAddress(chain, text)) throw new Error(`network ${id}: ${text} is no contract of ${chain}`);
  return normalAddress(chain, text);
}
