import { Amount, CatalogId, Id, UnderKey, type WrittenAmount } from '@bourse/platform';

/** Fields of a new box, in the order in which they are refused. */
@UnderKey()
export class OpenBoxBody {
  @CatalogId({ min: 1, about: 'Id of a currency' }) currency!: number;
  @Amount() amount!: WrittenAmount;
}

@UnderKey()
export class CloseBoxBody {
  @Id() id!: string;
}
