import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { CALL_POLICY, CALL_DESCRIPTION, type CallPolicy } from './call.js';
import { directCallOf, type DirectCall } from './direct-calls.js';
import { isFieldsClass, isUnderKey, type FieldsClass } from './fields/declared.js';
import { matchesTemplate } from './path-template.js';
import type { CallDescription } from './call-description.js';

/** A call with everything that its decorators say. */
export interface DeclaredCall {
  readonly policy: CallPolicy;
  readonly description?: CallDescription;
  /** Class of its body or query. */
  readonly fields?: FieldsClass;
}

interface Handler {
  readonly controller: object;
  readonly name: string;
  readonly handler: () => unknown;
  readonly policy: CallPolicy;
}

/** The calls of this process, read from the decorators of its controllers. */
@Injectable()
export class RouteTable implements OnApplicationBootstrap {
  private found: readonly CallPolicy[] | undefined;
  private byPath: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** A call that is declared wrong, or twice, keeps the process from starting. */
  onApplicationBootstrap(): void {
    const names = this.all().map(({ method, path }) => `${method} ${path}`);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`${twice} is declared by two controllers`);
  }

  all(): readonly CallPolicy[] {
    this.found ??= this.declared().map(({ policy }) => policy);
    return this.found;
  }

  /** All calls of this process with their answers and the class of their fields. */
  declared(): readonly DeclaredCall[] {
    return this.handlers().map(({ controller, name, handler, policy }) => {
      const description = this.reflector.get<CallDescription | undefined>(CALL_DESCRIPTION, handler);
      const types = (Reflect.getMetadata('design:paramtypes', controller, name) ?? []) as unknown[];
      const fields = types.find((type): type is FieldsClass => isFieldsClass(type));
      if (policy.money && fields && !isUnderKey(fields))
        throw new Error(`${policy.path} moves money: the class of its fields is to be @UnderKey()`);
      return { policy, ...(description ? { description } : {}), ...(fields ? { fields } : {}) };
    });
  }

  /** The calls of this process that run without Nest's pipeline, by method and path. */
  direct(): ReadonlyMap<string, DirectCall> {
    return new Map(
      this.handlers().flatMap(({ controller, name, policy }): [string, DirectCall][] => {
        const call = directCallOf(controller, name, policy);
        return call ? [[`${policy.method} ${policy.path}`, call]] : [];
      }),
    );
  }

  /** The methods of controllers that declare a call. */
  private handlers(): readonly Handler[] {
    return this.discovery.getControllers().flatMap(({ instance }) => {
      const controller = instance as object;
      const prototype = Object.getPrototypeOf(controller) as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name] as () => unknown;
        const policy = this.reflector.get<CallPolicy | undefined>(CALL_POLICY, handler);
        return policy ? [{ controller, name, handler, policy }] : [];
      });
    });
  }

  /** The calls that outside callers may make through the gateway. */
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
