import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ackOf } from './socket-adapter.js';

/** A frame that failed is answered like a call: as a defect of ours, described only in the log. */
@Catch()
export class SocketErrorsFilter implements ExceptionFilter {
  private readonly log = new Logger('Sockets');

  catch(error: unknown, host: ArgumentsHost): void {
    this.log.error({ err: error, event: host.switchToWs().getPattern() }, 'a socket frame failed');
    // The pattern follows the arguments of the frame.
    ackOf(host.getArgs<unknown[]>().slice(0, -1))?.({ type: 'error', key: 'common.defect' });
  }
}
