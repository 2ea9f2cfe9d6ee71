import { Body, Controller, Query } from '@nestjs/common';
import { Asks, authAsks } from '@bourse/messaging';
import { Call, coded, Context, CurrentCaller, type CallContext, type Caller, type Raw } from '@bourse/platform';
import * as z from 'zod/mini';
import { boundAddress, timeText } from '@bourse/contract';
import { BoundAddresses } from '../application/bound-addresses.js';
import { middlewareAnswer } from '../../shared/http/middleware-answer.js';
import { BindAddressBody, DrawAddressQuery, SendAddressCodeQuery } from '../application/fields.js';

/** Retry time when codes were requested too often and the limiter gives no time. */
const SECONDS_UNKNOWN = 60;
const BAD_REQUEST = { code: 1, key: 'common.badRequest' };

/**
 * The wallet middleware: binding of withdrawal addresses in the shape `{code, msg, data}` (api §3). A `user_id` other
 * than the caller's is a bad request.
 */
@Controller()
export class MiddlewareController {
  constructor(
    private readonly addresses: BoundAddresses,
    private readonly asks: Asks,
  ) {}

  @Call(
    {
      method: 'GET',
      path: '/walletMiddle/SendVerificationcode',
      auth: 'user',
      apiKey: 'none',
      raw: true,
      whileFrozen: false,
    },
    { summary: 'Send the code that binds a withdrawal address', answer: coded(z.object({ seconds: z.int() })) },
  )
  async send(
    @CurrentCaller() caller: Caller,
    @Query() fields: SendAddressCodeQuery,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    if (fields.userId !== String(caller.userId)) return middlewareAnswer(lang, BAD_REQUEST);
    const sent = await this.asks.ask(authAsks.sendCode, { userId: caller.userId, scene: 'draw_address', lang });
    if ('seconds' in sent) return middlewareAnswer(lang, { key: 'code.sent', data: { seconds: sent.seconds } });
    const { refused, params } = sent;
    return middlewareAnswer(lang, {
      code: 6,
      key: refused,
      params,
      data: { seconds: Number(params['seconds'] ?? SECONDS_UNKNOWN) },
    });
  }

  @Call(
    { method: 'GET', path: '/walletMiddle/GetDrawAddress', auth: 'user', apiKey: 'none', raw: true },
    {
      summary: 'Own bound addresses of a coin by its name',
      answer: coded(
        z.object({
          user_id: z.int(),
          coin_name: z.string(),
          contract_address: z.string(),
          address: z.string(),
          memo: z.string(),
          list: z.array(boundAddress),
        }),
      ),
    },
  )
  async draw(
    @CurrentCaller() caller: Caller,
    @Query() fields: DrawAddressQuery,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    if (fields.userId !== String(caller.userId)) return middlewareAnswer(lang, BAD_REQUEST);
    return middlewareAnswer(lang, {
      data: await this.addresses.draw(caller.userId, fields.coinName, fields.contractAddress ?? ''),
    });
  }

  @Call(
    { method: 'POST', path: '/walletMiddle/BindDrawAddress', auth: 'user', apiKey: 'none', raw: true },
    { summary: 'Bind a withdrawal address', answer: coded(z.object({ address_id: z.int(), usable_at: timeText })) },
  )
  async bind(
    @CurrentCaller() caller: Caller,
    @Body() fields: BindAddressBody,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    const bound = await this.addresses.bind(caller.userId, fields.data, fields.signature);
    return middlewareAnswer(lang, 'code' in bound ? bound : { data: bound });
  }
}
