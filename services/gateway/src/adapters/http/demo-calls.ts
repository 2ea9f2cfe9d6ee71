import { Injectable } from '@nestjs/common';
import { Config, fromThisMachine, OwnOrigins, plainAddress, SecurityLog } from '@bourse/platform';
import type { FastifyRequest } from 'fastify';

/** How a browser says that the page which asks is of the same origin, or that a person has typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Who may use the calls of a demo install: programs and pages of this machine. They show every code and move the clock,
 * so neither another machine, nor a foreign page in a browser of this one, nor a foreign name that was led here may
 * reach them. With `BOURSE_DEV_PUBLIC=1` other machines may, under the names of `PUBLIC_ORIGINS`; foreign pages never
 * [HARD-202].
 */
@Injectable()
export class DemoCalls {
  constructor(
    private readonly config: Config,
    private readonly origins: OwnOrigins,
    private readonly security: SecurityLog,
  ) {}

  /** Whether a call under `/dev/` is there for who asks. What is refused is written to the security log. */
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
