import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import { available, held, TOPICS, WithdrawalPlaceV1, type LedgerReply } from '@bourse/events';
import { LedgerClient, patienceFor, pending } from '@bourse/ledger-client';
import { Replies } from '@bourse/messaging';
import { formatUnits, maxOf, toUnits, type Units } from '@bourse/money';
import { AnswerStore } from '@bourse/persistence';
import { type CallContext, Clock, givenNotice, type Notice, Refused, SecurityLog, randomId } from '@bourse/platform';
import { destinationOf } from '../../shared/domain/address/index.js';
import { chargeOf, leastNumberOf, type Charge } from '../domain/withdrawal.js';
import { Chains, type Chain } from '../../chains/application/chain.js';
import {
  CommandAnswers,
  decidedByWallet,
  heldId,
  isDecidedByWallet,
} from '../../../ledger/application/command-answers.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { LedgerReader } from '../../../ledger/application/ports.js';
import { AuthorizeOutgoing, type Outgoing } from './authorize-outgoing.js';
import { FEE_RATE_SCALE } from '../../shared/application/settings.js';
import type { WithdrawBody } from './fields.js';

const MEMO_MAX = 64;
/** The finest scale that the grammar accepts; a coin's own scale is checked once the coin is known. */
const SCALE_MAX = 18;

/**
 * A call sends one command to the ledger, which takes no effect later than 10 s after its 4 s are over
 * (invariants §2.1).
 */
const OPEN_SECONDS = 15;

/**
 * The smallest number of a network that can be withdrawn: its minimum, and more if that leaves nothing after the fee
 * which the chain can carry (rules §8.4). `chain` undefined: it is not configured.
 */
export function leastWithdrawal(
  { minWithdrawal, feeRate, chainScale }: Pick<NetworkRow, 'minWithdrawal' | 'feeRate' | 'chainScale'>,
  scale: number,
  chain: Pick<Chain, 'leastPayment'> | undefined,
): Units {
  const scales = { scale, networkScale: chainScale };
  const carried = leastNumberOf(chain?.leastPayment ?? 1n, toUnits(feeRate, FEE_RATE_SCALE), FEE_RATE_SCALE, scales);
  return maxOf(toUnits(minWithdrawal, scale), carried) as Units;
}

/** Name of a withdrawal's hold, derived from its cause. */
export const withdrawalHold = (id: string): string => `withdrawal:${id}`;
/**
 * The name under which the wallet sends its decision on a withdrawal to the waiting call; the ledger's own reply bears
 * the id of the command.
 */
export const openedReply = (id: string): string => `${id}#opened`;

export interface WithdrawalRequest extends Outgoing {
  readonly charge: Charge;
}

/** Places a withdrawal: checks it, holds the money, and passes it on to be opened (rules §8.4, §12.9). */
@Injectable()
export class PlaceWithdrawal {
  constructor(
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly chains: Chains,
    private readonly outgoing: AuthorizeOutgoing,
    private readonly reader: LedgerReader,
    private readonly answers: AnswerStore,
    private readonly commandAnswers: CommandAnswers,
    private readonly ledger: LedgerClient,
    private readonly replies: Replies,
    private readonly clock: Clock,
    private readonly security: SecurityLog,
  ) {}

  /** @throws Refused in the order of rules §12.9; `pending` when the outcome is not known in time. */
  execute(userId: number, fields: WithdrawBody, context: CallContext): Promise<Notice> {
    // Claimed even without the caller's key: the edge may deliver a call twice, and passwords must not be checked
    // twice.
    return this.answers.onceNotice(
      { ...context, hasKey: context.commandId !== null },
      () => this.decide(userId, fields, context),
      OPEN_SECONDS,
    );
  }

  private async decide(userId: number, fields: WithdrawBody, context: CallContext): Promise<Notice> {
    const { commandId, bodyHash } = context;
    // A call that crashed may have reached the ledger: then its outcome is this call's outcome, whatever the checks
    // would say now.
    const heldBy = commandId === null ? randomUUID() : await this.commandAnswers.openId(commandId);
    const before = commandId === null ? null : await this.reader.answer(heldBy, bodyHash);
    if (before && commandId !== null)
      return isDecidedByWallet(before)
        ? givenNotice((await this.opened(heldId(before), commandId, context)).answer)
        : givenNotice(before.answer);
    const request = this.read(fields);
    await this.outgoing.demand(userId, { password: fields.payPassword, totpCode: fields.totpCode }, 'pay_password');
    await this.outgoing.authorize(userId, request);
    const notice = await this.hold(userId, request, heldBy, context);
    this.security.record('withdrawal.requested', {
      user_id: userId,
      withdrawal_id: notice.extra['id'] as string,
      currency_id: request.currency.id,
      number: formatUnits(request.number, request.currency.scale),
      address: request.destination.address,
    });
    return notice;
  }

  /** Reads and checks the fields, up to the passwords. `rate` and `user_id` are ignored in favour of the server's. */
  read(fields: WithdrawBody): WithdrawalRequest {
    const { address } = fields;
    fields.number.units(SCALE_MAX);
    const currency = this.currencies.byId(fields.currency);
    if (!currency) throw new Refused('common.notFound', {}, { field: 'currency' });
    const number = fields.number.units(currency.scale);
    const networks = this.networks.of(currency.id).filter(({ chain }) => this.chains.get(chain) !== undefined);
    const { type } = fields;
    const network =
      type === undefined && networks.length === 1 ? networks[0] : networks.find(({ id }) => String(id) === type);
    // An amount below the smallest of all networks is too little on any; with a named network, its smallest counts.
    const least = (network ? [network] : networks)
      .map((one) => leastWithdrawal(one, currency.scale, this.chains.get(one.chain)))
      .reduce<Units | null>((min, one) => (min === null || one < min ? one : min), null);
    if (least !== null && number < least)
      throw new Refused('wallet.lessMin', { min: formatUnits(least, currency.scale) }, { field: 'number' });
    if (!network) throw new Refused('wallet.protocol', {}, { field: 'type' });
    if (!network.openWithdraw) throw new Refused('noopen', {}, { field: 'type' });
    const memo = network.memo ? (fields.memo ?? '') : '';
    const parsed = destinationOf(network, address, '');
    if (!parsed.ok) throw new Refused('wallet.addressInvalid', {}, { field: 'address' });
    if (network.memo && memo === '' && parsed.destination.memo === '')
      throw new Refused('wallet.memoRequired', {}, { field: 'memo' });
    const whole = memo.length > MEMO_MAX ? null : destinationOf(network, address, memo);
    if (!whole?.ok) throw new Refused('common.fieldInvalid', { field: 'memo' }, { field: 'memo' });
    return {
      currency,
      network,
      number,
      charge: chargeOf(number, toUnits(network.feeRate, FEE_RATE_SCALE), FEE_RATE_SCALE, {
        scale: currency.scale,
        networkScale: network.chainScale,
      }),
      destination: whole.destination,
    };
  }

  private async hold(
    userId: number,
    { currency, network, number, charge, destination }: WithdrawalRequest,
    heldBy: string,
    context: CallContext,
  ): Promise<Notice> {
    const id = randomId();
    const commandId = context.commandId ?? heldBy;
    const amount = (units: Units): string => formatUnits(units, currency.scale);
    const place = WithdrawalPlaceV1.encode({
      withdrawalId: id,
      userId,
      currencyId: currency.id,
      networkId: network.id,
      number: amount(number),
      fee: amount(charge.fee),
      received: amount(charge.received),
      ...destination,
      at: this.clock.now(),
      commandId,
      bodyHash: context.bodyHash,
      hasKey: context.hasKey,
      replyTo: this.replies.instance,
      validUntil: context.validUntil,
    });
    // Both replies are awaited from before the command is sent; the second never comes when the ledger refuses.
    let refused = false;
    const opened = this.opened(id, commandId, context, () => refused);
    opened.catch(() => undefined); // awaited below, unless the command is refused before it is opened
    const reply = await this.ledger.send(
      {
        issuer: 'wallet-ledger',
        userId,
        onBehalfOf: userId,
        journals: [
          {
            id: `withdrawal:${id}:hold`,
            causeType: 'withdrawal',
            causeId: id,
            legs: [
              {
                from: available(userId, 'change'),
                to: held(userId, 'change', withdrawalHold(id)),
                currency: currency.id,
                amount: amount(number),
              },
            ],
          },
        ],
        forward: { topic: TOPICS.walletCommands, partition: 0, message: place },
        answer: decidedByWallet(id),
      },
      { ...context, commandId: heldBy },
    );
    if (reply === null || isDecidedByWallet(reply)) return givenNotice((await opened).answer);
    refused = true;
    return givenNotice(reply.answer);
  }

  /** The decision of the wallet. @throws Refused `pending` when it is not known in time. */
  private async opened(
    id: string,
    commandId: string,
    context: CallContext,
    over: () => boolean = () => false,
  ): Promise<LedgerReply> {
    const nothing: LedgerReply = { commandId, ok: false, repeated: false, answer: { type: 'error' } };
    const reply = await this.replies.wait(openedReply(id), patienceFor(context.validUntil, this.clock.real()), () =>
      over() ? Promise.resolve(nothing) : this.commandAnswers.decided(commandId),
    );
    if (reply === null) throw pending();
    return reply;
  }
}
