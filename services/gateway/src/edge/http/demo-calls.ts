import { Injectable } from '@nestjs/common';
import { Config, fromThisMachine, OwnOrigins, plainAddress, SecurityLog } from '@bourse/platform';
import type { FastifyRequest } from 'fastify';

/**
 * Values by which a browser says that the requesting page is of the same origin, or that a person has typed the
 * address.
 */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Decides who may use the calls of a demo install: programs and pages of this machine. These calls reveal every code
 * and move the clock, so other machines, foreign pages in a browser of this one, and foreign host names that resolve to
 * it are refused. With `BOURSE_DEV_PUBLIC=1` other machines are admitted under the names of `PUBLIC_ORIGINS`; foreign
 * pages never [HARD-202].
 */
@Injectable()
export class DemoCalls {
  constructor(
    private readonly config: Config,
    private readonly origins: OwnOrigins,
    private readonly security: SecurityLog,
  ) {}

  /** Whether the client may make a call under `/dev/`. Refusals are written to the security log. */
  admits({ raw, headers, id, ip, method }: FastifyRequest): boolean {
    if (!this.config.dev) return false;
    const { origin, host } = headers;
    const site = headers['sec-fetch-site'];
    const reason =
      !this.config.devPublic && !fromThisMachine(raw)
        ? 'not of this machine'
        : !this.origins.isOwnHost(host)
          ? 'not by a name of ours'
          : (origin !== undefined && !this.origins.isOwn(origin, host)) ||
              (site !== undefined && !OWN_SITES.includes(String(site)))
            ? 'from a foreign page'
            : null;
    if (reason === null) return true;
    this.security.recordFew('access.refused', plainAddress(ip), { request_id: id, what: 'demo call', method, reason });
    return false;
  }
}
