import type { ChainName } from '@bourse/contract';
import type { Database } from '@bourse/persistence';
import { OwnOutputs, type OutputName, type OwnOutput } from '../application/own-outputs.js';

/** A spent output is kept as long as a reorganisation may make it unspent again. */
const KEPT_BLOCKS = 100;

interface Row {
  tx_id: string;
  output: number;
  address: string;
  amount: string;
  height: string;
}
const COLUMNS = 'o.tx_id, o.output, o.address, o.amount::text, o.height';
const NAMES = '(select * from unnest($2::text[], $3::int[]) as n (tx_id, output)) n';
const outputOf = ({ tx_id, output, address, amount, height }: Row): OwnOutput => ({
  txId: tx_id,
  output,
  address,
  amount: BigInt(amount),
  height: Number(height),
});
const columns = (names: readonly OutputName[]): [string[], number[]] => [
  names.map(({ txId }) => txId),
  names.map(({ output }) => output),
];

export class PostgresOwnOutputs extends OwnOutputs {
  constructor(private readonly database: Database) {
    super();
  }

  override async record(
    chain: ChainName,
    { height, received, spent }: Parameters<OwnOutputs['record']>[1],
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (received.length > 0) {
        await tx.execute(
          `insert into own_output (chain, tx_id, output, address, amount, height)
            select $1, * from unnest($2::text[], $3::int[], $4::text[], $5::numeric[], $6::bigint[])
           on conflict (chain, tx_id, output) do update set height = excluded.height`,
          [
            chain,
            ...columns(received),
            received.map(({ address }) => address),
            received.map(({ amount }) => amount.toString()),
            received.map((output) => output.height),
          ],
        );
      }
      if (spent.length > 0) {
        await tx.execute(
          `update own_output o
            set spent_by = n.by, spent_height = $5
            from (select * from unnest($2::text[], $3::int[], $4::text[]) as n (tx_id, output, by)) n
           where o.chain = $1 and o.tx_id = n.tx_id and o.output = n.output`,
          [chain, ...columns(spent), spent.map(({ by }) => by), height],
        );
      }
    });
  }

  override async unspent(chain: ChainName, height: number): Promise<readonly OwnOutput[]> {
    return (
      await this.database.query<Row>(
        `select ${COLUMNS} from own_output o
          where chain = $1 and (spent_by is null or spent_height > $2)
          order by amount desc, tx_id, output`,
        [chain, height - KEPT_BLOCKS],
      )
    ).map(outputOf);
  }

  override async find(chain: ChainName, names: readonly OutputName[]): Promise<readonly OwnOutput[]> {
    return (
      await this.database.query<Row>(
        `select ${COLUMNS} from own_output o
          join ${NAMES} on o.tx_id = n.tx_id and o.output = n.output
          where o.chain = $1`,
        [chain, ...columns(names)],
      )
    ).map(outputOf);
  }

  override async spender(chain: ChainName, { txId, output }: OutputName): Promise<string | null> {
    const [row] = await this.database.query<{ spent_by: string | null }>(
      'select spent_by from own_output where chain = $1 and tx_id = $2 and output = $3',
      [chain, txId, output],
    );
    return row?.spent_by ?? null;
  }
}
