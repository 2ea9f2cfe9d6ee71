import type { FreezeScope, Language, OutStops } from '@bourse/contract';

/** The caller, from auth's session record (architecture §2). The subject comes from the token only. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
  readonly kind: 'user' | 'points' | 'operator' | 'apikey';
  readonly lang: Language;
  readonly reviewStatus: 0 | 1 | 2;
  readonly hasFundPassword: boolean;
  readonly fundMustReset: boolean;
  readonly hasPayment: boolean;
  readonly frozen: FreezeScope;
  /** Since when it is frozen (business time, ms); null: it is not. Absent in an answer of the release before. */
  readonly frozenSince?: number | null;
  /** Between which times withdrawals are blocked; null: they are not. Absent: as above. */
  readonly withdrawalsBlocked?: { readonly since: number; readonly until: number } | null;
  readonly isSeller: boolean;
  readonly isAcceptor: boolean;
  readonly region: string;
  readonly accountNumber: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** The edge's context of one call. In the distributed run it travels signed in the internal header. */
export interface CallContext {
  readonly requestId: string;
  readonly lang: Language;
  readonly ip: string;
  readonly agent: string;
  /** Hash of the id that the caller's browser has made for itself (header `x-device-id`); absent: it sent none. */
  readonly device?: string;
  readonly caller: Caller | null;
  /** Hash of (user, call, key) on money calls; made by the edge when the client sent no key. */
  readonly commandId: string | null;
  /**
   * True when the client sent an Idempotency-Key, and in a service to which the edge may deliver the call twice: its
   * answer is kept and given again.
   */
  readonly hasKey: boolean;
  /** HMAC of the parsed body under a server key. */
  readonly bodyHash: string | null;
  /** The stops that keep the caller's money in; on calls that may move it to another person. */
  readonly outStops?: OutStops;
  /** Commands of this call are refused when they reach their writer later (real time, ms). */
  readonly validUntil: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    bourse?: CallContext;
    /** Hex SHA-256 of the body as it was sent, on calls that carry an API key; absent: there was no body. */
    bodyDigest?: string;
  }
}
