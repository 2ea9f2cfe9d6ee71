import { Body, Controller } from '@nestjs/common';
import { PUSH_GROUPS, pushDevice, pushDevices } from '@bourse/contract';
import { Call, CurrentCaller, message, notice, type Caller, type Notice } from '@bourse/platform';
import { PushDevices } from '../../application/push-devices.js';
import { PushAddBody, PushAlertsBody, PushDeviceBody } from './push-fields.js';

/** Push messages to a person's devices (api §2.10). */
@Controller()
export class PushController {
  constructor(private readonly pushDevices: PushDevices) {}

  @Call(
    { method: 'GET', path: '/api/push/devices', auth: 'user', apiKey: 'none' },
    { summary: 'List devices with push messages, and the key for registrations', answer: message(pushDevices) },
  )
  async list(@CurrentCaller() { userId }: Caller) {
    const { publicKey, devices } = await this.pushDevices.list(userId);
    return { public_key: publicKey, devices: [...devices] };
  }

  @Call(
    { method: 'POST', path: '/api/push/add', auth: 'user', rate: 'c2c', apiKey: 'none' },
    { summary: 'Switch on push messages for a device, or renew its registration', answer: message(pushDevice) },
  )
  add(@Body() body: PushAddBody, @CurrentCaller() { userId }: Caller) {
    const { endpoint, p256dh, auth, label = '' } = body;
    const groups = PUSH_GROUPS.filter((group) => body[group]);
    return this.pushDevices.add({ userId, endpoint, p256dh, auth, label, groups });
  }

  @Call(
    { method: 'POST', path: '/api/push/remove', auth: 'user', rate: 'c2c', apiKey: 'none', whileFrozen: true },
    { summary: 'Switch off push messages for a device', answer: notice('push.off'), refuses: ['common.notFound'] },
  )
  remove(@Body() { id }: PushDeviceBody, @CurrentCaller() { userId }: Caller): Promise<Notice> {
    return this.pushDevices.remove(userId, id);
  }

  @Call(
    { method: 'POST', path: '/api/push/alerts', auth: 'user', rate: 'c2c', apiKey: 'none' },
    { summary: 'Set the price alerts of a device', answer: notice('common.success'), refuses: ['common.notFound'] },
  )
  alerts(@Body() { id, alerts }: PushAlertsBody, @CurrentCaller() { userId }: Caller): Promise<Notice> {
    return this.pushDevices.setAlerts(userId, id, alerts);
  }
}
