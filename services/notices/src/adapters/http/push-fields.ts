import { PUSH_ALERTS_MAX } from '@bourse/contract';
import { Field, Flag, Name, Refused, RowId, Text } from '@bourse/platform';
import * as z from 'zod/mini';
import type { DeviceAlert } from '../../domain/push.js';

/* Fields of the calls of push messages (api §2.10). */

const ENDPOINT_MAX = 1_000;
const LABEL_MAX = 60;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

export class PushAddBody {
  @Text('common.fieldInvalid', { max: ENDPOINT_MAX, about: 'Address that the push service gave the browser' })
  endpoint!: string;
  @Text('common.fieldInvalid', { min: 80, max: 100, pattern: BASE64URL, about: "The device's public key, base64url" })
  p256dh!: string;
  @Text('common.fieldInvalid', { min: 20, max: 30, pattern: BASE64URL, about: "The device's secret, base64url" })
  auth!: string;
  @Name({ max: LABEL_MAX, optional: true, about: 'Name of the device' }) label?: string | undefined;
  @Flag({ optional: true, about: 'Orders and positions' }) trades?: boolean | undefined;
  @Flag({ optional: true, about: 'C2C deals and appeals' }) deals?: boolean | undefined;
  @Flag({ optional: true, about: 'Deposits, withdrawals, security, messages' }) account?: boolean | undefined;
  @Flag({ optional: true, about: "The device's price alerts" }) alerts?: boolean | undefined;
}
export class PushDeviceBody {
  @RowId('common.notFound', { missing: 'common.fieldRequired' }) id!: number;
}

const ALERTS = z
  .array(
    z.strictObject({
      id: z.string().check(z.regex(/^[A-Za-z0-9-]{1,40}$/)),
      symbol: z.string().check(z.regex(/^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/)),
      price: z.string().check(z.regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/)),
      above: z.boolean(),
      link: z.string().check(z.regex(/^\/[A-Za-z]{1,40}(\?[\w=&]{1,60})?$/)),
    }),
  )
  .check(z.maxLength(PUSH_ALERTS_MAX));
function alertsOf(text: string): readonly DeviceAlert[] | undefined {
  try {
    const read = ALERTS.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
const Alerts = () =>
  Field<readonly DeviceAlert[]>({
    read(text, field) {
      if (text === undefined) throw new Refused('common.fieldRequired', { field }, { field });
      const alerts = alertsOf(text);
      if (alerts === undefined) throw new Refused('common.fieldInvalid', { field }, { field });
      return alerts;
    },
    schema: {
      type: 'string',
      description:
        `JSON, at most ${PUSH_ALERTS_MAX}: \`[{ "id": "a1", "symbol": "BTC/USDT", "price": "60000", "above": true, ` +
        '"link": "/dealCenter" }]`. They replace the ones before',
    },
    keys: ['common.fieldRequired', 'common.fieldInvalid'],
  });
export class PushAlertsBody extends PushDeviceBody {
  @Alerts() alerts!: readonly DeviceAlert[];
}
