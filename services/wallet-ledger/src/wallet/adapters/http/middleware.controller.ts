import { Controller } from '@nestjs/common';
import { Asks } from '@bourse/messaging';
import {
  Call,
  Context,
  CurrentCaller,
  Fields,
  present,
  readText,
  type CallContext,
  type Caller,
  type FieldRecord,
  type Raw,
} from '@bourse/platform';
import { BoundAddresses } from '../../application/addresses/bound-addresses.js';
import { middlewareAnswer } from './middleware-answer.js';

/** A code was asked for too often, and nobody says until when. */
const SECONDS_UNKNOWN = 60;
const BAD_REQUEST = { code: 1, key: 'common.badRequest' };

/**
 * The wallet middleware: binding of withdrawal addresses in the shape `{code, msg, data}` (api §3). A `user_id` that is
 * not the caller's is a bad request.
 */
@Controller()
export class MiddlewareController {
  constructor(
    private readonly addresses: BoundAddresses,
    private readonly asks: Asks,
  ) {}

  @Call({
    method: 'GET',
    path: '/walletMiddle/SendVerificationcode',
    auth: 'user',
    apiKey: 'none',
    raw: true,
    whileFrozen: false,
  })
  async send(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    if (fields['user_id'] !== String(caller.userId)) return middlewareAnswer(lang, BAD_REQUEST);
    const sent = await this.asks.ask<
      { userId: number; scene: 'draw_address'; lang: string },
      | { readonly seconds: number }
      | { readonly refused: string; readonly params?: Readonly<Record<string, string | number>>; readonly key?: string }
    >('auth.sendCode', { userId: caller.userId, scene: 'draw_address', lang });
    if ('seconds' in sent) return middlewareAnswer(lang, { key: 'code.sent', data: { seconds: sent.seconds } });
    const params = sent.params ?? {};
    return middlewareAnswer(lang, {
      code: 6,
      key: sent.key ?? sent.refused,
      params,
      data: { seconds: Number(params['seconds'] ?? SECONDS_UNKNOWN) },
    });
  }

  @Call({ method: 'GET', path: '/walletMiddle/GetDrawAddress', auth: 'user', apiKey: 'none', raw: true })
  async draw(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    if (fields['user_id'] !== String(caller.userId)) return middlewareAnswer(lang, BAD_REQUEST);
    return middlewareAnswer(lang, {
      data: await this.addresses.draw(
        caller.userId,
        readText(fields, 'coin_name'),
        present(fields, 'contract_address') ?? '',
      ),
    });
  }

  @Call({ method: 'POST', path: '/walletMiddle/BindDrawAddress', auth: 'user', apiKey: 'none', raw: true })
  async bind(
    @CurrentCaller() caller: Caller,
    @Fields() fields: FieldRecord,
    @Context() { lang }: CallContext,
  ): Promise<Raw> {
    const bound = await this.addresses.bind(caller.userId, present(fields, 'data'), present(fields, 'signature'));
    return middlewareAnswer(lang, 'code' in bound ? bound : { data: bound });
  }
}
