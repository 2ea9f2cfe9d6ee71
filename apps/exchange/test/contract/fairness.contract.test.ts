import { describe, expect, test } from '@jest/globals';
import { get } from './client.js';
import { operator } from './people.js';

/*
 * No one can choose a price, a result or a delay: fields of calls and settings are a reviewed list. A new field of such
 * a name needs a reason here why it chooses nothing.
 */

const SUSPICIOUS =
  /price|rate|ratio|result|win|odds|outcome|luck|payout|profit|delay|tick|median|seed|bias|chance|mark/i;

/** Fields that bound only the caller's own order. */
const OWN = new Set([
  'target_price',
  'stop_price',
  'stop_limit_price',
  'activation_price',
  'take_profit',
  'target_profit_price',
  'stop_loss_price',
]);
/** Prices in users' own ads, which others may take or not. */
const ASKED = new Set(['POST /api/c2c_send price', 'POST /api/legal/send price']);
/** Settings for all users alike, from then on: existing agreements keep their conditions. */
const FOR_ALL: Readonly<Record<string, string>> = {
  'POST /api/acceptor/rates cash_rate': 'what an acceptor takes, shown before; kept in the deal',
  'POST /api/acceptor/rates recharge_rate': 'what an acceptor takes, shown before; kept in the deal',
  'POST /api/admin/acceptor_deals/decide outcome': 'a dispute between two people, decided by its evidence',
  'POST /api/admin/acceptors/save cash_rate': 'what an acceptor takes, shown before; kept in the deal',
  'POST /api/admin/acceptors/save recharge_rate': 'what an acceptor takes, shown before; kept in the deal',
  'POST /api/admin/appeals/decide outcome': 'a dispute between two people, decided by its evidence',
  'POST /api/admin/catalog/deposit_configs/save interest_rate': 'what a term pays, shown before; kept in it as agreed',
  'POST /api/admin/catalog/insurance_types/save claim_loss_rate': 'when a policy must be claimed; kept in it as bought',
  'POST /api/admin/catalog/insurance_types/save claim_rate': 'what a claim pays; kept in the policy as bought',
  'POST /api/admin/catalog/insurance_types/save end_profit_rate': 'when a policy ends; kept in it as bought',
  'POST /api/admin/catalog/insurance_types/save premium_rate': 'what a policy costs, shown before it is bought',
  'POST /api/admin/catalog/insurance_types/save stake_rate': 'the largest stake; kept in the policy as bought',
  'POST /api/admin/catalog/micro_seconds/save profit_ratio': 'what a win pays, shown before; kept in the contract',
  'POST /api/admin/catalog/pairs/save market_band': 'how far an order at best price may reach, for everybody',
  'POST /api/admin/catalog/protocols/save rate': 'the fee of a withdrawal, shown before it is asked for',
};
/** Names an acceptor and their rates for all users: the user named is the owner of the rates. */
const TERMS_OF_AN_ACCEPTOR = 'POST /api/admin/acceptors/save';
const SETTINGS_FOR_ALL = new Set([
  // The price of a point, for all users (rules §10).
  'jc_price',
  'jc_price_difference',
  // Rates for opening, liquidation and transfers out of leverage: a position keeps the rate that it was opened with.
  'lever.burst_rate',
  'lever.open_rate',
  'lever.transfer_rate',
  // How far the price of a new ad may lie from the index, for everybody.
  'c2c.price_band',
  // How much the house may owe in a market, and how long recorded prices are kept.
  'micro_market_cap',
  'micro_tick_days',
]);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly 'x-call'?: { readonly auth: string };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Every field that a call takes, by its name. */
async function fieldsOfCalls(): Promise<{ call: string; auth: string; fields: string[] }[]> {
  const { text } = await get('/api/admin/openapi.json', {}, { token: await operator('operator') });
  const document = JSON.parse(text) as Document;
  const namesIn = (schema: Schema | undefined): string[] => {
    if (!schema) return [];
    if (schema.$ref) return namesIn(document.components.schemas?.[schema.$ref.split('/').at(-1) ?? '']);
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(namesIn)];
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      auth: operation['x-call']?.auth ?? '',
      // A body may have several content types.
      fields: [
        ...new Set([
          ...(operation.parameters ?? []).map(({ name }) => name),
          ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => namesIn(schema)),
        ]),
      ],
    })),
  );
}

describe('no caller can choose', () => {
  test('no call takes a price, a result or a delay for anyone but the caller [FAIR-011]', async () => {
    const calls = await fieldsOfCalls();
    // The list is the whole exchange's: the trades of people are on it, and the desk of operators.
    expect(calls.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['POST /api/coin/trade', 'POST /api/admin/settings/save', 'POST /dev/clock']),
    );
    const suspicious = calls.flatMap(({ call, auth, fields }) =>
      fields
        .filter((field) => SUSPICIOUS.test(field) && !(auth === 'user' && OWN.has(field)))
        .map((field) => `${call} ${field}`)
        .filter((name) => !ASKED.has(name)),
    );
    expect(suspicious.sort()).toEqual(Object.keys(FOR_ALL).sort());
    const chosen = new Set(suspicious.map((name) => name.split(' ').slice(0, 2).join(' ')));
    const forOnePerson = calls.filter(
      ({ call, fields }) => chosen.has(call) && fields.includes('user_id') && call !== TERMS_OF_AN_ACCEPTOR,
    );
    expect(forOnePerson).toEqual([]);
  });

  test('no setting is a price, a result or a delay, and none is one person’s [FAIR-012]', async () => {
    const rows = (await get('/api/admin/settings', {}, { token: await operator('operator') })).body.message;
    expect(rows.length).toBeGreaterThan(10);
    const named = rows.map(({ key }) => key).filter((key) => SUSPICIOUS.test(key));
    expect(named.sort()).toEqual([...SETTINGS_FOR_ALL].sort());
    expect(rows.filter((row) => Object.keys(row).some((field) => /user/.test(field)))).toEqual([]);
  });
});
