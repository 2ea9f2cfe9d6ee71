import { AccountEntity } from './account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApprovalEntity } from './approval.entity.js';
import { AuthorizationCodeEntity } from './authorization-code.entity.js';
import { BankEntity } from './bank.entity.js';
import { IdentityEntity } from './identity.entity.js';
import { OperatorSponsorEntity } from './operator-sponsor.entity.js';
import { OperatorEntity } from './operator.entity.js';
import { PasskeyEntity } from './passkey.entity.js';
import { PaymentSettingsEntity } from './payment-settings.entity.js';

/** The tables of this service that are mapped as rows; sessions, codes and failures are changed by SQL only. */
export const AUTH_ENTITIES = [
  AccountEntity,
  ApiKeyEntity,
  ApprovalEntity,
  AuthorizationCodeEntity,
  BankEntity,
  IdentityEntity,
  OperatorSponsorEntity,
  OperatorEntity,
  PasskeyEntity,
  PaymentSettingsEntity,
];
