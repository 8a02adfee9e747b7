/** The things whose changes are recorded. The name of an action begins with one of them. */
export const kinds = [
  'entry',
  'batch',
  'document',
  'request',
  'topic',
  'conversation',
  'user',
  'token',
  'two_factor',
  'account_link',
  'identity',
  'person',
  'app',
  'domain',
  'view',
  'widget_key',
  'webhook',
  'delivery',
  'quota',
  'organization',
  'identity_provider',
  'sign_in_rules',
  'signing_key',
  'embedding_model',
  'retention',
  'backup',
  'source',
] as const;
export type Kind = (typeof kinds)[number];

export interface ChangeQuery {
  person: string;
  kind: Kind | '';
  thing: string;
  from: string;
  to: string;
  page: number;
}
