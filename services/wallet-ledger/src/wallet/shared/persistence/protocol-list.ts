import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { toFlag } from '@bourse/contract';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, trimZeros, type Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Config, Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks, type VersionedNetwork } from '../application/networks.js';
import { NOTE, PROTOCOL_SCALE, ProtocolBody, type CatalogProtocol } from '../application/protocol-rows.js';
import { FEE_RATE_SCALE } from '../application/settings.js';
import { lockNetwork, storeNetwork } from './network-store.js';

/**
 * Networks with their fees, minimums, confirmations, opening states and notes (api §2.12). Withdrawals and deposits
 * keep the figures that were in force when they began [SETTING-034].
 */
@Injectable()
export class ProtocolList extends CatalogList<ProtocolBody> implements OnApplicationBootstrap {
  readonly name = 'protocols';
  readonly body = ProtocolBody;

  constructor(
    private readonly networks: Networks,
    private readonly currencies: Currencies,
    private readonly reference: Reference,
    private readonly config: Config,
  ) {
    super();
  }

  /** Changes by another instance of the service arrive as reference data. */
  onApplicationBootstrap(): void {
    const take = (id: string): void => {
      const row = this.reference.get<VersionedNetwork>('network', id);
      if (row) this.networks.take(row);
    };
    for (const { id } of this.networks.all()) take(String(id));
    this.reference.onChange((kind, id) => {
      if (kind === 'network') take(id);
    });
  }

  /** All networks, including closed ones. */
  rows(): readonly CatalogProtocol[] {
    return this.networks.all().map(shown);
  }

  async save(tx: Tx, body: ProtocolBody): Promise<SavedRow> {
    const stored = await lockNetwork(tx, body.id);
    if (!stored) throw new Refused('common.notFound', {}, { field: 'id' });
    this.validate(stored, body);
    const row: VersionedNetwork = {
      ...stored,
      minWithdrawal: written(body.minNumber, PROTOCOL_SCALE) ?? stored.minWithdrawal,
      feeRate: written(body.rate, FEE_RATE_SCALE) ?? stored.feeRate,
      minDeposit: written(body.minDeposit, PROTOCOL_SCALE) ?? stored.minDeposit,
      confirmations: body.confirmations ?? stored.confirmations,
      openDeposit: body.openDeposit ?? stored.openDeposit,
      openWithdraw: body.openWithdraw ?? stored.openWithdraw,
      note: body.note ?? stored.note,
      version: stored.version + 1,
    };
    await storeNetwork(tx, row);
    tx.emit(
      TOPICS.reference,
      0,
      ReferenceRowV1.encode({ kind: 'network', id: String(row.id), version: row.version, row: { ...row } }),
    );
    tx.afterCommit(() => this.networks.take(row));
    return { id: String(row.id), before: shown(stored), after: shown(row) };
  }

  /** Refuses values that do not fit the coin, or that `NETWORK_OVERRIDES` of this install fixes. */
  private validate({ id, currencyId }: VersionedNetwork, { minNumber, minDeposit, confirmations }: ProtocolBody): void {
    const scale = this.currencies.scaleOf(currencyId) ?? PROTOCOL_SCALE;
    const step = scale < PROTOCOL_SCALE ? 10n ** BigInt(PROTOCOL_SCALE - scale) : 1n;
    for (const [field, units] of [
      ['min_number', minNumber],
      ['min_deposit', minDeposit],
    ] as const)
      if (units !== undefined && units % step !== 0n)
        throw new Refused('common.fieldInvalid', { field, scale }, { field });
    if (confirmations !== undefined && this.config.networkOverrides[id]?.confirmations !== undefined)
      throw new Refused(
        'common.fieldInvalid',
        { field: 'confirmations' },
        { field: 'confirmations', extra: { why: 'NETWORK_OVERRIDES of this install says it' } },
      );
  }
}

const written = (units: Units | undefined, scale: number): string | undefined =>
  units === undefined ? undefined : formatTrimmed(units, scale);

/** A network in the shape of the contract. */
const shown = (row: VersionedNetwork): CatalogProtocol => ({
  id: row.id,
  currency_id: row.currencyId,
  chain: row.chain,
  type: row.type,
  name: row.name,
  contract_address: row.contractAddress,
  is_memo: toFlag(row.memo),
  min_number: trimZeros(row.minWithdrawal),
  rate: trimZeros(row.feeRate),
  min_deposit: trimZeros(row.minDeposit),
  confirmations: row.confirmations,
  open_deposit: toFlag(row.openDeposit),
  open_withdraw: toFlag(row.openWithdraw),
  note: NOTE.write(row.note),
});
