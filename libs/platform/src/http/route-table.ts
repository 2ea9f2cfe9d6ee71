import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { CALL_POLICY, type CallPolicy } from './call.js';
import { matchesTemplate } from './path-template.js';

/** The calls of this process, read from the decorators of its controllers. */
@Injectable()
export class RouteTable {
  private found: readonly CallPolicy[] | undefined;
  private byPath: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  all(): readonly CallPolicy[] {
    this.found ??= this.discovery.getControllers().flatMap(({ instance }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, prototype[name] as () => unknown);
        return policy ? [policy] : [];
      });
    });
    return this.found;
  }

  /** What others may call through the gateway. */
  forwarded(): readonly CallPolicy[] {
    return this.all().filter((policy) => policy.auth !== 'internal' && !policy.open);
  }

  /** Methods that a path knows; empty: there is no such path. */
  methodsOf(path: string): readonly string[] {
    if (!this.byPath) {
      const table = new Map<string, string[]>();
      for (const policy of this.all())
        if (policy.auth !== 'internal') table.set(policy.path, [...(table.get(policy.path) ?? []), policy.method]);
      this.byPath = table;
    }
    return this.byPath.get(path) ?? [...this.byPath].find(([template]) => matchesTemplate(template, path))?.[1] ?? [];
  }
}
