import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  callService,
  Clock,
  Config,
  EDGE_SERVICE,
  InternalCalls,
  matchesTemplate,
  Readiness,
  RouteTable,
  type CallPolicy,
} from '@bourse/platform';

const OWN = EDGE_SERVICE;
const RETRY_MS = 500;
const REFRESH_MS = 30_000;
export interface Route {
  readonly service: string;
  readonly base: string;
  readonly policy: CallPolicy;
}

/**
 * The service that owns each call. In the embedded run all calls are here; in the distributed run each service is
 * queried repeatedly, because it may be newer than this process.
 */
@Injectable()
export class Routes implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Routes');
  private readonly learned = new Map<string, readonly CallPolicy[]>();
  private byCall = new Map<string, Route>();
  private methods = new Map<string, string[]>();
  /** Calls with a name in their path. */
  private templates: readonly Route[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopped = false;

  constructor(
    private readonly own: RouteTable,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly readiness: Readiness,
    private readonly calls: InternalCalls,
  ) {}

  get distributed(): boolean {
    return this.config.run === 'distributed';
  }

  onApplicationBootstrap(): void {
    if (!this.distributed) return;
    for (const [service, base] of Object.entries(this.config.services)) {
      if (service === OWN) continue;
      this.readiness.set(`routes of ${service}`, false);
      void this.learn(service, base.replace(/\/$/, ''));
    }
  }
  onApplicationShutdown(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** The route of a call that another service owns. */
  find(method: string, path: string): Route | undefined {
    return (
      this.byCall.get(`${method} ${path}`) ??
      this.templates.find(({ policy }) => policy.method === method && matchesTemplate(policy.path, path))
    );
  }

  /** Methods of a path, here or in other services. */
  methodsOf(path: string): readonly string[] {
    if (path.startsWith('/dev/') && !this.config.dev) return [];
    return [
      ...this.own.methodsOf(path),
      ...(this.methods.get(path) ??
        this.templates.filter(({ policy }) => matchesTemplate(policy.path, path)).map(({ policy }) => policy.method)),
    ];
  }

  /** Whether every service has reported its calls. Until then an unknown call may exist. */
  get complete(): boolean {
    return !this.distributed || this.services().every(({ service }) => this.learned.has(service));
  }

  /** Calls that move money, each with its service; null where all services are in this process. */
  moneyCalls(): readonly { readonly service: string | null; readonly policy: CallPolicy }[] {
    const own = this.own.forwarded().map((policy) => ({ service: this.distributed ? OWN : null, policy }));
    const others = [...this.learned].flatMap(([service, policies]) => policies.map((policy) => ({ service, policy })));
    return [...own, ...others].filter(({ policy }) => policy.money);
  }

  /** Base addresses of the other services. */
  services(): readonly { readonly service: string; readonly base: string }[] {
    return this.distributed
      ? Object.entries(this.config.services)
          .filter(([service]) => service !== OWN)
          .map(([service, base]) => ({ service, base: base.replace(/\/$/, '') }))
      : [];
  }

  /** A signed GET between our own processes. */
  async read(service: string, base: string, path: string): Promise<unknown> {
    const { status, body } = await callService(new URL(`${base}${path}`), {
      method: 'GET',
      headers: this.calls.sign(service, { method: 'GET', url: path }, this.clock.real()),
      signal: AbortSignal.timeout(2_000),
    });
    if (status !== 200) throw new Error(`${base}${path} answered ${status}`);
    return JSON.parse(body.toString('utf8')) as unknown;
  }

  private async learn(service: string, base: string): Promise<void> {
    let again = REFRESH_MS;
    try {
      const policies = (await this.read(service, base, '/internal/routes')) as CallPolicy[];
      this.learned.set(service, policies);
      this.rebuild();
      this.readiness.set(`routes of ${service}`, true);
    } catch (error) {
      if (!this.learned.has(service)) again = RETRY_MS;
      this.log.debug(`routes of ${service}: ${String(error)}`);
    }
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.learn(service, base);
    }, again);
    this.timers.add(timer.unref());
  }

  private rebuild(): void {
    const byCall = new Map<string, Route>();
    const methods = new Map<string, string[]>();
    for (const [service, policies] of this.learned) {
      const base = (this.config.services[service] ?? '').replace(/\/$/, '');
      for (const policy of policies) {
        byCall.set(`${policy.method} ${policy.path}`, { service, base, policy });
        methods.set(policy.path, [...(methods.get(policy.path) ?? []), policy.method]);
      }
    }
    this.byCall = byCall;
    this.templates = [...byCall.values()].filter(({ policy }) => policy.path.includes('/:'));
    this.methods = methods;
  }
}
