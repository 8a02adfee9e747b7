/** The things whose changes are recorded. The name of an action begins with one of them. */
export const kinds = [
  ...(['entry', 'batch', 'document', 'request', 'topic', 'conversation'] as const),
  ...(['user', 'token', 'two_factor', 'account_link', 'identity', 'person'] as const),
  ...(['app', 'domain', 'view', 'widget_key', 'webhook', 'delivery', 'quota'] as const),
  ...(['organization', 'identity_provider', 'sign_in_rules', 'signing_key'] as const),
  ...(['embedding_model', 'retention', 'backup'] as const),
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
