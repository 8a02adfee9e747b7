import type { Knex } from 'knex';
import type { Visibility } from '../../platform/actor.js';

/** The rights of the person who asks, as conditions of a search. */
export interface SearchScope {
  organizationId: number;
  /** One app's passages; undefined for all apps of the organization. */
  appId: number | undefined;
  tiers: Visibility[];
}

/** The properties of a passage that decide who may see it. */
export interface Guarded {
  organizationId: number;
  /** Null while no app claims the entry's domain: then nobody finds it. */
  appId: number | null;
  visibility: Visibility;
  published: boolean;
}

export const missingRights = [
  'other_organization',
  'draft',
  'unclaimed_domain',
  'other_app',
  'tier',
] as const;
export type MissingRight = (typeof missingRights)[number];

interface Rule {
  /** The missing right when the rule fails. */
  missing: MissingRight;
  holds: (passage: Guarded, scope: SearchScope) => boolean;
  /** The same rule as a condition on `passages as p`. */
  restrict: (query: Knex.QueryBuilder, scope: SearchScope) => Knex.QueryBuilder;
}

/** The only rules on who may see a passage, each as a predicate and as SQL. All must hold. */
const rules: readonly Rule[] = [
  {
    missing: 'other_organization',
    holds: (passage, scope) => passage.organizationId === scope.organizationId,
    restrict: (query, scope) => query.where('p.organization_id', scope.organizationId),
  },
  {
    missing: 'draft',
    holds: (passage) => passage.published,
    restrict: (query) => query.where('p.published', true),
  },
  {
    missing: 'unclaimed_domain',
    holds: (passage) => passage.appId !== null,
    restrict: (query) => query.whereNotNull('p.app_id'),
  },
  {
    missing: 'other_app',
    holds: ({ appId }, scope) =>
      appId === null || scope.appId === undefined || appId === scope.appId,
    restrict: (query, { appId }) => (appId === undefined ? query : query.where('p.app_id', appId)),
  },
  {
    missing: 'tier',
    holds: (passage, scope) => scope.tiers.includes(passage.visibility),
    restrict: (query, scope) => query.whereIn('p.visibility', scope.tiers),
  },
];

/** Adds the rights of a search to a query over `passages as p`. */
export function withinScope(query: Knex.QueryBuilder, scope: SearchScope): Knex.QueryBuilder {
  for (const { restrict } of rules) restrict(query, scope);
  return query;
}

/** The rights that a scope lacks for a passage; empty when the passage is visible. */
export function rightsMissing(passage: Guarded, scope: SearchScope): MissingRight[] {
  return rules.filter(({ holds }) => !holds(passage, scope)).map(({ missing }) => missing);
}
