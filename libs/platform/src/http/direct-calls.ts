import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import {
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import type { FastifyRequest } from 'fastify';
import type { FieldRecord } from './body.js';
import { REQUEST_READERS, type CallPolicy } from './call.js';
import { isFieldsClass } from './fields/declared.js';
import { readFields } from './fields/read.js';

/** A call whose handler runs without Nest's pipeline: its parameters depend on the request alone. */
export interface DirectCall {
  readonly policy: CallPolicy;
  /** Reads the parameters and runs the handler. Throws what they throw. */
  run(request: FastifyRequest): unknown;
}

interface Argument {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: unknown;
  readonly pipes?: readonly unknown[];
}
type ReadArgument = (request: FastifyRequest) => unknown;

/** Metadata that changes how Nest runs a handler; a call with any of these runs in Nest. */
const PIPELINE = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA, HTTP_CODE_METADATA, HEADERS_METADATA];

/** The call that this method of a controller declares, or null where its parameters or decorators need Nest. */
export function directCallOf(controller: object, method: string, policy: CallPolicy): DirectCall | null {
  if (policy.open || policy.auth === 'internal' || policy.auth === 'dev') return null;
  const type = controller.constructor;
  const handler = (controller as Record<string, (...values: unknown[]) => unknown>)[method]!;
  if (PIPELINE.some((key) => Reflect.hasMetadata(key, type) || Reflect.hasMetadata(key, handler))) return null;
  const types = (Reflect.getMetadata('design:paramtypes', controller, method) ?? []) as readonly unknown[];
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<string, Argument>;
  const readers: (ReadArgument | undefined)[] = Array.from({ length: handler.length });
  for (const [key, argument] of Object.entries(declared))
    readers[argument.index] = readerOf(key, argument, types[argument.index]);
  if (!readers.every((read): read is ReadArgument => read !== undefined)) return null;
  return {
    policy,
    run: (request) =>
      handler.apply(
        controller,
        readers.map((read) => read(request)),
      ),
  };
}

function readerOf(key: string, { data, factory, pipes = [] }: Argument, type: unknown): ReadArgument | undefined {
  if (pipes.length > 0 || data !== undefined) return undefined;
  if (factory !== undefined) return REQUEST_READERS.get(factory);
  const read = SOURCES[Number(key.split(':')[0])];
  if (!read || !isFieldsClass(type)) return undefined;
  return (request) => readFields(type, (read(request) ?? {}) as FieldRecord);
}

const SOURCES: Readonly<Record<number, ReadArgument>> = {
  [RouteParamtypes.BODY]: ({ body }) => body,
  [RouteParamtypes.QUERY]: ({ query }) => query,
};
