import { SEED_NETWORKS, type ChainName, type NetworkRow } from '@bourse/contract';
import type { Database } from '@bourse/persistence';
import type { Config } from '@bourse/platform';
import { Networks } from '../../application/networks.js';
import { isAddress, normalAddress } from '../../domain/address/index.js';

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
}

/**
 * Networks of this install: those of a fresh one are stored at the first start; `NETWORK_OVERRIDES` says what is
 * otherwise here, without storing it.
 * @throws Error when the settings name a network that there is not, or a contract that is no address of its chain.
 */
export async function loadNetworks(
  database: Database,
  { networkOverrides }: Pick<Config, 'networkOverrides'>,
): Promise<Networks> {
  await database.execute(
    `insert into network (id, currency_id, chain, type, name, contract_address, chain_scale, memo, min_withdrawal, fee_rate, min_deposit, confirmations, place)
    select id, "currencyId", chain, type, name, "contractAddress", "chainScale", memo, "minWithdrawal", "feeRate", "minDeposit", confirmations, id
    from jsonb_to_recordset($1::jsonb) as seed (id integer, "currencyId" integer, chain text, type text, name text, "contractAddress" text, "chainScale" smallint, memo boolean, "minWithdrawal" numeric, "feeRate" numeric, "minDeposit" numeric, confirmations smallint)
    on conflict do nothing`,
    [JSON.stringify(SEED_NETWORKS)],
  );
  const rows = await database.query<Row>(
    'select id, currency_id, chain, type, name, contract_address, chain_scale, memo, min_withdrawal::text, fee_rate::text, min_deposit::text, confirmations from network order by currency_id, place, id',
  );
  const unknown = Object.keys(networkOverrides).find((id) => !rows.some((row) => String(row.id) === id));
  if (unknown !== undefined) throw new Error(`NETWORK_OVERRIDES names network ${unknown}; there is none`);
  return new Networks(
    rows.map((row): NetworkRow => {
      const { contract_address, confirmations } = networkOverrides[row.id] ?? {};
      return {
        id: row.id,
        currencyId: row.currency_id,
        chain: row.chain,
        type: row.type,
        name: row.name,
        contractAddress: contractOf(row, contract_address ?? row.contract_address),
        chainScale: row.chain_scale,
        memo: row.memo,
        minWithdrawal: row.min_withdrawal,
        feeRate: row.fee_rate,
        minDeposit: row.min_deposit,
        confirmations: confirmations ?? row.confirmations,
      };
    }),
  );
}

/** As the chain writes it, so that it can be compared with what blocks say. */
function contractOf({ id, chain }: Row, text: string): string {
  if (text === '') return '';
  if (!isAddress(chain, text)) throw new Error(`network ${id}: ${text} is no contract of ${chain}`);
  return normalAddress(chain, text);
}
