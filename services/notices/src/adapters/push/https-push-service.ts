import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable, Logger } from '@nestjs/common';
import { Clock, Config } from '@bourse/platform';
import { PushKey } from '../../application/push-key.js';
import { PushService, type DuePush } from '../../application/push-ports.js';
import { isPushEndpoint, isTestOrigin, outcomeOf, type PushOutcome } from '../../domain/push.js';
import { authorizationFor, encryptFor } from './encryption.js';
import { lookupPublic, NotPublic } from './public-lookup.js';

/** How long one try may take, ms. */
const TRY_MS = 5_000;
/** How long a push service keeps a message for a device that is not connected, seconds. */
const KEPT_S = 900;
const PROBLEM_SUBJECT = 'mailto:no-reply@localhost.localdomain';

/**
 * Encrypts messages (RFC 8291) and sends them to push services (RFC 8030), which know this install by its key
 * (RFC 8292). Redirects are not followed, answers are not read, and a try ends after five seconds.
 */
@Injectable()
export class HttpsPushService extends PushService {
  private readonly logger = new Logger('HttpsPushService');
  private readonly testOrigin: string | null;
  private readonly subject: string;

  constructor(
    private readonly key: PushKey,
    private readonly clock: Clock,
    config: Config,
  ) {
    super();
    this.testOrigin = config.pushTestOrigin;
    // Operators of push services write to this address about a misbehaving sender.
    this.subject = config.publicOrigins.find((origin) => origin.startsWith('https:')) ?? PROBLEM_SUBJECT;
  }

  async send({ endpoint, p256dh, auth, payload }: DuePush): Promise<PushOutcome> {
    if (!isPushEndpoint(endpoint, this.testOrigin)) return 'gone';
    try {
      const url = new URL(endpoint);
      const body = encryptFor({ p256dh, auth }, payload);
      const headers = {
        authorization: authorizationFor(await this.key.read(), url.origin, this.subject, this.clock.real()),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        'content-length': String(body.length),
        ttl: String(KEPT_S),
        urgency: 'high',
      };
      return outcomeOf(await post(url, headers, body, this.testOrigin));
    } catch (error) {
      if (error instanceof NotPublic) return 'gone';
      this.logger.debug(`a push message was not sent: ${String(error)}`);
      // Keys that are no point of the curve: the device can never read a message.
      return error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY'
        ? 'gone'
        : 'later';
    }
  }
}

function post(url: URL, headers: Readonly<Record<string, string>>, body: Buffer, testOrigin: string | null) {
  const isTest = isTestOrigin(url, testOrigin);
  return new Promise<number>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: 'POST',
        agent: false,
        headers,
        signal: AbortSignal.timeout(TRY_MS),
        ...(isTest ? {} : { lookup: lookupPublic }),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
