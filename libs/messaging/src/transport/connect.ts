import type { INestApplication, INestMicroservice, LogLevel, LoggerService, Type } from '@nestjs/common';
import { loadPackage } from '@nestjs/common/internal';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions, CustomStrategy, NestMicroservice } from '@nestjs/microservices';
import { AsThrown, LogTransport } from './log-transport.js';

/**
 * Connects an application that was just created to the log: from here on its controllers answer asks, and when it
 * starts they take events.
 */
export async function connectTransport(app: INestApplication): Promise<void> {
  // Nest connects the package that it has loaded; in a bundle it would search for the package beside it.
  await loadPackage('@nestjs/microservices', 'LogTransport', () => import('@nestjs/microservices'));
  const microservice = app.connectMicroservice<CustomStrategy & { autoFlushLogs: boolean }>(
    { strategy: app.get(LogTransport), autoFlushLogs: false },
    // Handlers are bound with their filters, which come after the connection and before the binding.
    { deferInitialization: true },
  ) as unknown as NestMicroservice;
  microservice.useGlobalFilters(new AsThrown());
  microservice.registerListeners();
  microservice.setIsInitialized(true);
  microservice.setIsInitHookCalled(true);
}

/** An application without an HTTP side, connected and started: one service for tests and benches. */
export async function startMessageApp(root: Type, logger: LoggerService | LogLevel[]): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    useFactory: (strategy: LogTransport) => ({ strategy }),
    inject: [LogTransport],
    logger,
    abortOnError: false,
  });
  app.useGlobalFilters(new AsThrown());
  await app.listen();
  return app;
}
