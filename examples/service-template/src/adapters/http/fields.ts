import { Amount, Integer, type WrittenAmount } from '@bourse/platform';

/** Fields of a new box, in the order in which they are refused. */
export class OpenBoxBody {
  @Integer({ min: 1, about: 'Id of a currency' }) currency!: number;
  @Amount() amount!: WrittenAmount;
}
