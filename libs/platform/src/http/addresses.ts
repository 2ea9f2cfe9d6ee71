import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { memoize } from '../memoize.js';

/** Size of the caches by address. Each call of a client reads the forms of its address. */
const KEPT_MAX = 2_000;
/** Greatest length of an address; the text of a forwarded header may be longer. */
const ADDRESS_LENGTH_MAX = 64;
const memoizeByAddress = (read: (address: string) => string): ((address: string) => string) =>
  memoize(read, KEPT_MAX, ({ length }) => length <= ADDRESS_LENGTH_MAX);

/** Whether a hop may name the client that it forwards for. */
export type Trust = (address: string, hop: number) => boolean;

/**
 * The check of forwarded addresses, made of `TRUSTED_PROXIES`: addresses, networks (`10.0.0.0/8`) and the names
 * `loopback`, `linklocal`, `uniquelocal`. Fastify and the sockets use the same check [HARD-208].
 * @throws TypeError for an invalid entry
 */
export const trustOf = (proxies: readonly string[]): Trust => proxyAddr.compile([...proxies]);

/**
 * The address of the client behind a request: the last hop for which no trusted proxy has vouched, in its plain form
 * [HARD-208].
 */
export const clientAddress = (request: IncomingMessage, trust: Trust): string =>
  plainAddress(proxyAddr(request, trust));

/**
 * An address in one spelling: an IPv4 address is written as IPv4, even if the system wrote it otherwise. Text that is
 * no address stays as it is.
 */
export const plainAddress = memoizeByAddress((address) =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address,
);

/**
 * The key that a rate counts under: an IPv4 address, or the /64 of an IPv6 address, since one customer has 2^64 of
 * these. All texts that are no address count as one caller. The result has a bounded length [HARD-314].
 */
export const rateAddress = memoizeByAddress((address) => {
  if (!ipaddr.isValid(address)) return 'unknown';
  const read = ipaddr.process(address);
  return read instanceof ipaddr.IPv6 ? `${siteOf(read)}::/64` : read.toString();
});
/** One customer has a /64 of IPv6: the owner of one address has the whole network. */
const siteOf = ({ parts }: ipaddr.IPv6): string =>
  parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');

const PRIVATE = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal', 'loopback']);
/** Whether an address is private, so not on the internet: of a network at home, in an office or in a cluster. */
export const isPrivateAddress = (address: string): boolean =>
  ipaddr.isValid(address) && PRIVATE.has(ipaddr.process(address).range());

/** Whether an address is of the public internet and of one machine: no private, reserved, translated or shared one. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/** Whether a header says that a proxy forwarded the request. */
export const isForwarded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  FORWARDED.some((name) => headers[name] !== undefined);

/** Whether the other end of the connection is this machine. Headers do not count. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
/**
 * Whether a `Host` is a loopback name, with any port. Another name may lead here too: a page can make its own name do
 * so (DNS rebinding).
 */
export const isLoopbackHost = (host: string | undefined): boolean => host !== undefined && LOOPBACK_HOST.test(host);

/** Whether a request was made on this machine, by its own name, and no header says that it was forwarded. */
export const fromThisMachine = (request: IncomingMessage): boolean =>
  isLoopback(request.socket.remoteAddress) && isLoopbackHost(request.headers.host) && !isForwarded(request);
