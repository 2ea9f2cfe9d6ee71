import { available, held, INTERNAL_CURRENCIES, ledgerPartition, type Leg } from '@bourse/events';
import { splitJournal, type LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { CASH_SCALE, cashOf, coinsOf, type AcceptorTerms } from '../domain/acceptor-deal.js';

/* Journals of acceptors, as in rules §7. */

const ISSUER = 'c2c-escrow';
export const ACCEPTOR_CAUSE = 'acceptor';
const CASH = INTERNAL_CURRENCIES.CSH.id;

/** The hold of a deal in the ledger: its coins and the acceptor's cash. */
export const acceptorHoldName = (id: string): string => `acceptor:${id}`;

const toJournal = (id: string, what: string, legs: Leg[]): LedgerOrder['journals'][number] => ({
  id: `${acceptorHoldName(id)}:${what}`,
  causeType: ACCEPTOR_CAUSE,
  causeId: id,
  legs,
});
const toCoinLeg = (deal: AcceptorTerms, from: string, to: string): Leg => ({
  from,
  to,
  currency: deal.currencyId,
  amount: formatUnits(coinsOf(deal), deal.scale),
});
const toCashLeg = (deal: AcceptorTerms, from: string, to: string): Leg => ({
  from,
  to,
  currency: CASH,
  amount: formatUnits(cashOf(deal), CASH_SCALE),
});

/** Reserves coins of the acceptor for a deposit; the ledger may refuse it. */
export const createReserveOrder = (deal: AcceptorTerms): LedgerOrder => ({
  issuer: ISSUER,
  userId: deal.acceptorId,
  onBehalfOf: null,
  journals: [
    toJournal(deal.id, 'reserve', [
      toCoinLeg(
        deal,
        available(deal.acceptorId, 'acceptor'),
        held(deal.acceptorId, 'acceptor', acceptorHoldName(deal.id)),
      ),
    ]),
  ],
});
/** First hold of a withdrawal, the person's coins; the ledger may refuse it. */
export const createHoldOrder = (deal: AcceptorTerms): LedgerOrder => ({
  issuer: ISSUER,
  userId: deal.userId,
  onBehalfOf: deal.userId,
  journals: [
    toJournal(deal.id, 'hold', [
      toCoinLeg(deal, available(deal.userId, 'legal'), held(deal.userId, 'legal', acceptorHoldName(deal.id))),
    ]),
  ],
});
/** Second hold of a withdrawal, the acceptor's cash; the ledger may refuse it. */
export const createCashOrder = (deal: AcceptorTerms): LedgerOrder => ({
  issuer: ISSUER,
  userId: deal.acceptorId,
  onBehalfOf: null,
  journals: [
    toJournal(deal.id, 'cash', [
      toCashLeg(deal, available(deal.acceptorId, 'quota'), held(deal.acceptorId, 'quota', acceptorHoldName(deal.id))),
    ]),
  ],
});
/** Returns the first hold after the second was refused. */
export const createUnholdOrder = (deal: AcceptorTerms): LedgerOrder => ({
  issuer: ISSUER,
  userId: deal.userId,
  onBehalfOf: null,
  journals: [
    toJournal(deal.id, 'unhold', [
      toCoinLeg(deal, held(deal.userId, 'legal', acceptorHoldName(deal.id)), available(deal.userId, 'legal')),
    ]),
  ],
});

/** Legs out of the holds of a deal at its end. */
function toEndLegs(deal: AcceptorTerms, isConfirmed: boolean): Leg[] {
  const { type, id, userId, acceptorId } = deal;
  const hold = acceptorHoldName(id);
  if (type === 'buy') {
    const to = isConfirmed ? available(userId, 'legal') : available(acceptorId, 'acceptor');
    return [toCoinLeg(deal, held(acceptorId, 'acceptor', hold), to)];
  }
  const [coins, cash] = [held(userId, 'legal', hold), held(acceptorId, 'quota', hold)];
  return [
    toCoinLeg(deal, coins, isConfirmed ? available(acceptorId, 'acceptor') : available(userId, 'legal')),
    toCashLeg(deal, cash, isConfirmed ? 'h.quota' : available(acceptorId, 'quota')),
  ];
}

/** The movements of a deal's end, one command per partition, the person's first. The ledger cannot refuse them. */
export function createEndOrders(deal: AcceptorTerms, isConfirmed: boolean, partitions: number): LedgerOrder[] {
  const { id, type, userId: personId, acceptorId } = deal;
  const [home, issues] = [ledgerPartition(personId, partitions), ledgerPartition(acceptorId, partitions)];
  const whole = toJournal(id, isConfirmed ? 'confirm' : 'back', toEndLegs(deal, isConfirmed));
  const orders = splitJournal(whole, partitions).map(({ partition, userId, journal }): LedgerOrder => {
    // The house issues cash in the acceptor's partition.
    const issued =
      type === 'buy' && isConfirmed && partition === issues
        ? [toCashLeg(deal, 'h.quota', available(acceptorId, 'quota'))]
        : [];
    const journals = [{ ...journal, legs: [...journal.legs, ...issued] }];
    return { issuer: ISSUER, userId, onBehalfOf: null, partition, journals };
  });
  return orders.toSorted((a, b) => Number(b.partition === home) - Number(a.partition === home));
}

/**
 * Holds the coins of a confirmed withdrawal again for the person: the acceptor's coins, the missing ones out of
 * `h.capital`; the acceptor's cash comes back. The ledger may refuse it when the acceptor has less meanwhile.
 */
export function createRecoverOrder(deal: AcceptorTerms & { readonly missing: bigint }, id: string): LedgerOrder {
  const { acceptorId, missing, currencyId: currency, scale } = deal;
  const account = available(acceptorId, 'acceptor');
  const paid: Leg[] =
    missing === 0n ? [] : [{ from: 'h.capital', to: account, currency, amount: formatUnits(missing, scale) }];
  const legs = [
    ...paid,
    toCoinLeg(deal, account, held(acceptorId, 'acceptor', acceptorHoldName(deal.id))),
    toCashLeg(deal, 'h.quota', available(acceptorId, 'quota')),
  ];
  return {
    issuer: ISSUER,
    userId: acceptorId,
    onBehalfOf: null,
    journals: [toJournal(deal.id, `recover:${id}`, legs)],
  };
}
/**
 * Moves the recovered coins to the person, one command per partition, the person's first. The ledger cannot refuse
 * them.
 */
export function createReturnOrders(deal: AcceptorTerms, partitions: number): LedgerOrder[] {
  const { id, userId: personId, acceptorId } = deal;
  const home = ledgerPartition(personId, partitions);
  const leg = toCoinLeg(deal, held(acceptorId, 'acceptor', acceptorHoldName(id)), available(personId, 'legal'));
  return splitJournal(toJournal(id, 'return', [leg]), partitions)
    .map(({ partition, userId, journal }): LedgerOrder => ({
      ...{ issuer: ISSUER, userId, onBehalfOf: null, partition, journals: [journal] },
    }))
    .toSorted((a, b) => Number(b.partition === home) - Number(a.partition === home));
}

/** Grants cash of the house to an acceptor, or takes free cash back, in cents. The ledger may refuse it. */
export function createGrantOrder(userId: number, id: string, by: bigint): LedgerOrder {
  const free = available(userId, 'quota');
  const hold = held(userId, 'quota', acceptorHoldName(id));
  const leg = (from: string, to: string): Leg => ({
    from,
    to,
    currency: CASH,
    amount: formatUnits(by < 0n ? -by : by, CASH_SCALE),
  });
  const legs = by < 0n ? [leg(free, hold), leg(hold, 'h.quota')] : [leg('h.quota', free)];
  return { issuer: ISSUER, userId, onBehalfOf: null, journals: [toJournal(id, 'grant', legs)] };
}

/** Coins that an acceptor posts or takes back, decimal text; `debt` of the posted coins is paid to the house. */
export const createFundOrder = (
  userId: number,
  currency: number,
  isIn: boolean,
  amount: string,
  id: string,
  debt: string | null = null,
): LedgerOrder => ({
  issuer: ISSUER,
  userId,
  onBehalfOf: userId,
  journals: [
    toJournal(id, isIn ? 'in' : 'out', [
      {
        from: available(userId, isIn ? 'legal' : 'acceptor'),
        to: available(userId, isIn ? 'acceptor' : 'legal'),
        currency,
        amount,
      },
      ...(debt === null ? [] : [{ from: available(userId, 'acceptor'), to: 'h.capital', currency, amount: debt }]),
    ]),
  ],
});
