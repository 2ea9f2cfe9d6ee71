import type { MicroOrder } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { formatUnits, toUnits } from '@bourse/money';

/** The profit or loss of a seconds contract after its fee: signed decimal text. */
export const afterFee = (profits: bigint, fee: string): string =>
  formatUnits(profits - toUnits(fee, COIN_SCALE), COIN_SCALE);

/** The result of a closed seconds contract after its fee, as its ticket showed it; a void contract returns its fee. */
export const netResult = ({ fact_profits, fee, result }: Pick<MicroOrder, 'fact_profits' | 'fee' | 'result'>): string =>
  afterFee(toUnits(fact_profits, COIN_SCALE), result === 'void' ? '0' : fee);
