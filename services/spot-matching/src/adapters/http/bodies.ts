import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Fields of a new order, as OpenAPI shows them; they are read and judged by `readOrder`. */
export class OrderBody {
  @ApiProperty({ description: 'Id of the quote currency' }) legal_id!: string;
  @ApiProperty({ description: 'Id of the base currency' }) currency_id!: string;
  @ApiPropertyOptional({ description: 'Limit price; ignored by market orders' }) target_price?: string;
  @ApiProperty({ description: 'Quantity of the base' }) amount!: string;
  @ApiPropertyOptional({ enum: ['limit', 'market', 'stop_limit', 'stop_market'], default: 'limit' })
  order_type?: string;
  @ApiPropertyOptional({ description: 'Price that starts a stop' }) stop_price?: string;
  @ApiPropertyOptional({ enum: ['GTC', 'IOC', 'FOK'], default: 'GTC' }) time_in_force?: string;
  @ApiPropertyOptional({ enum: ['0', '1'], default: '0' }) post_only?: string;
  @ApiPropertyOptional({ enum: ['cancel_newest', 'cancel_oldest', 'cancel_both'], default: 'cancel_newest' })
  stp?: string;
  @ApiPropertyOptional({ pattern: '^[A-Za-z0-9_-]{1,36}$' }) client_order_id?: string;
}
export class SidedOrderBody extends OrderBody {
  @ApiProperty({ enum: ['1', '2'], description: '1 buy, 2 sell' }) type!: string;
}
/** One of the two names the order. */
export class CancelBody {
  @ApiPropertyOptional() id?: string;
  @ApiPropertyOptional() client_order_id?: string;
}
export class EntrustCancelBody {
  @ApiProperty() id!: string;
  @ApiProperty({ enum: ['in', 'out'] }) type!: string;
}
