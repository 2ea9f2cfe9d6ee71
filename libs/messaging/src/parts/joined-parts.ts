import { Controller, Inject, type Provider, type Type } from '@nestjs/common';
import { Database, type Migration } from '@bourse/persistence';
import type { ServiceName } from '@bourse/platform';
import { serviceAsks, type AuditRound, type FoundThing } from '../asks/declared/service.js';
import { flowOf } from '../audit/audit-loop.js';
import type { QuestionOf } from '../asks/define.js';
import { Answers } from '../transport/answers.js';
import { AuditPart, PartsAudit } from './audit-part.js';
import { Finders, type FindPart } from './find-part.js';
import { OpenWork, WorkPart } from './work-part.js';

/** The Nest components that one part adds to its service (decision 0112). */
export interface ServicePart {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
  /** Their ids begin with the part's name. */
  readonly migrations: readonly Migration[];
  /** Its `WorkPart`s, which `providers` provide. */
  readonly work?: readonly Type<WorkPart>[];
  /** Its `FindPart`s, which `providers` provide. */
  readonly find?: readonly Type<FindPart>[];
  /** Its `AuditPart`s, which `providers` provide. */
  readonly audit?: readonly Type<AuditPart>[];
}

/** A service of parts. */
export interface ServiceOfParts {
  readonly service: ServiceName;
  /** Injection token of its database. */
  readonly database: abstract new (...args: never[]) => Database;
  readonly parts: readonly ServicePart[];
}

/** The joined parts of a service: for `controllers` and `providers` of its module. */
export interface JoinedParts {
  readonly controllers: Type[];
  readonly providers: Provider[];
}

/** Whether one of these parts counts open work, as the service's description states. */
export const hasWork = (parts: readonly ServicePart[]): boolean => parts.some(({ work }) => work?.length);

/** Whether one of these parts has things that operators can search. */
export const hasFinds = (parts: readonly ServicePart[]): boolean => parts.some(({ find }) => find?.length);

/**
 * Joins the parts of a service: all their controllers and providers, `PartsAudit` and `OpenWork` over them, and the
 * answers to `<service>.audit` and, where any of them has open work or things to find, `<service>.work` and
 * `<service>.find`.
 */
export function joinParts({ service, database, parts }: ServiceOfParts): JoinedParts {
  const work: Provider = {
    provide: OpenWork,
    inject: parts.flatMap((part) => part.work ?? []),
    useFactory: (...those: WorkPart[]) => new OpenWork(those),
  };
  const finders: Provider = {
    provide: Finders,
    inject: parts.flatMap((part) => part.find ?? []),
    useFactory: (...those: FindPart[]) => new Finders(those),
  };
  const audit: Provider = {
    provide: PartsAudit,
    inject: [database as Type<Database>, ...parts.flatMap((part) => part.audit ?? [])],
    useFactory: (opened: Database, ...those: AuditPart[]) => new PartsAudit(opened, those),
  };
  return {
    controllers: [
      auditAsks(service, database),
      ...(hasWork(parts) ? [workAsks(service)] : []),
      ...(hasFinds(parts) ? [findAsks(service)] : []),
      ...parts.flatMap(({ controllers }) => controllers),
    ],
    providers: [work, finders, audit, ...parts.flatMap(({ providers }) => providers)],
  };
}

function auditAsks(service: ServiceName, database: ServiceOfParts['database']): Type {
  @Controller()
  class AuditAsksController {
    constructor(
      @Inject(database) private readonly opened: Database,
      @Inject(PartsAudit) private readonly auditor: PartsAudit,
    ) {}

    @Answers(serviceAsks.audit(service))
    async audit(): Promise<AuditRound> {
      return { checks: await this.auditor.checks(), flow: await this.opened.transaction((tx) => flowOf(tx)) };
    }
  }
  return AuditAsksController;
}

function workAsks(service: ServiceName): Type {
  @Controller()
  class WorkAsksController {
    constructor(@Inject(OpenWork) private readonly open: OpenWork) {}

    /** Open work of operators, for their dashboard. */
    @Answers(serviceAsks.work(service))
    work(): Promise<Readonly<Record<string, number>>> {
      return this.open.work();
    }
  }
  return WorkAsksController;
}

function findAsks(service: ServiceName): Type {
  @Controller()
  class FindAsksController {
    constructor(@Inject(Finders) private readonly finders: Finders) {}

    @Answers(serviceAsks.find(service))
    find({ text }: QuestionOf<typeof serviceAsks.find>): Promise<readonly FoundThing[]> {
      return this.finders.find(text);
    }
  }
  return FindAsksController;
}
