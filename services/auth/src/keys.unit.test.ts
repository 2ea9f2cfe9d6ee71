import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { hasText } from '@bourse/i18n';

/** Every key this service names in a refusal, a notice or a letter. */
function keysInCode(): string[] {
  const root = new URL('.', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const keys = files.flatMap((name) =>
    [
      ...readFileSync(new URL(name, root), 'utf8').matchAll(
        /'((?:common|set|login|auth|register|forget|code|fund|logout|lang|mail|sms|bind|kyc|bank|cash|region|totp|passkey|phishing|freeze|apikey|admin|email)\.[a-zA-Z][a-zA-Z.]*|pswFalse)'/g,
      ),
    ].map((match) => match[1] ?? ''),
  );
  return [...new Set(keys)].filter((key) => !QUESTIONS.test(key)).sort();
}
/** Names of questions between services, of actions in the trail and of security events look like keys. */
const QUESTIONS =
  /^kyc\.decide$|^passkey\.(added|removed|wrong)$|^auth\.(session|activeSessions|caller|fund|profile|outbox|totp|withdrawals|sendCode|useCode|password|apiKey|work|export|frozen|reseal|secondPerson|approval|guardedChange|pendingChanges|acceptors|parties|readers|names|role|joinPoints|describe)$/;

test('every key has an English text', () => {
  const keys = keysInCode();
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => !hasText(key))).toEqual([]);
});
