import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ackOf } from './socket-adapter.js';

/** A frame that could not be served is answered like a call: a defect of ours, told in the log alone. */
@Catch()
export class SocketErrorsFilter implements ExceptionFilter {
  private readonly log = new Logger('Sockets');

  catch(error: unknown, host: ArgumentsHost): void {
    this.log.error({ err: error, event: host.switchToWs().getPattern() }, 'a socket frame failed');
    // The pattern stands behind what the frame brought.
    ackOf(host.getArgs<unknown[]>().slice(0, -1))?.({ type: 'error', key: 'common.defect' });
  }
}
