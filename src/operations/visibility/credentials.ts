import type { Actor, Visibility } from '../../platform/actor.js';

/**
 * The promised reach of a credential. It is written here a second time on purpose: a check that uses the code's own
 * rules would always agree.
 */
export interface Credential {
  name: string;
  /** The actor for page queries. */
  reader: Actor;
  /** The actor for questions; undefined when it can't ask. */
  asker: Exclude<Actor, { kind: 'anonymous' }> | undefined;
  /** The tiers of published knowledge on pages and in answers. */
  onPages: readonly Visibility[];
  inAnswers: readonly Visibility[];
  /** The reach of lists of entries; undefined when closed. Drafts are for staff. */
  inLists: { tiers: readonly Visibility[]; drafts: boolean } | undefined;
}

const everything: readonly Visibility[] = ['public', 'authenticated', 'internal'];
const signedIn: readonly Visibility[] = ['public', 'authenticated'];
const open: readonly Visibility[] = ['public'];

/** An id that does not exist. */
const nobody = 0;
const elsewhere = -1;

export function credentialsOf(organizationId: number, appId: number): Credential[] {
  const key = (
    name: string,
    keyKind: 'public' | 'authenticated',
    tiers: readonly Visibility[],
  ) => ({
    name,
    reader: { kind: 'widget_key', organizationId, appId, keyKind } as const,
    asker: { kind: 'visitor', organizationId, appId, keyKind, visitorId: 'check' } as const,
    onPages: tiers,
    inAnswers: tiers,
    inLists: undefined,
  });
  const user = (role: 'user' | 'backoffice' | 'admin', tiers: readonly Visibility[]) => {
    const actor = { kind: 'user', organizationId, userId: nobody, role } as const;
    return {
      name: role,
      reader: actor,
      asker: actor,
      onPages: tiers,
      inAnswers: tiers,
      inLists: { tiers, drafts: role !== 'user' },
    };
  };
  const endUser = { kind: 'end_user', organizationId, appId, endUserId: nobody } as const;
  const foreignApp: Credential['asker'] = {
    kind: 'visitor',
    organizationId,
    appId: elsewhere,
    keyKind: 'authenticated',
    visitorId: 'check',
  };
  const foreigner: Credential['asker'] = {
    kind: 'user',
    organizationId: elsewhere,
    userId: nobody,
    role: 'admin',
  };
  return [
    {
      name: 'nobody',
      reader: { kind: 'anonymous' },
      asker: undefined,
      onPages: open,
      inAnswers: [],
      inLists: undefined,
    },
    key('public key', 'public', open),
    key('authenticated key', 'authenticated', signedIn),
    {
      name: 'user token',
      reader: endUser,
      asker: endUser,
      onPages: signedIn,
      inAnswers: signedIn,
      inLists: undefined,
    },
    user('user', signedIn),
    user('backoffice', everything),
    user('admin', everything),
    {
      name: 'key of another app',
      reader: foreignApp,
      asker: foreignApp,
      onPages: open,
      inAnswers: [],
      inLists: undefined,
    },
    {
      // Its questions on a page of this app are answered from public knowledge.
      name: 'another organization',
      reader: foreigner,
      asker: foreigner,
      onPages: open,
      inAnswers: open,
      inLists: { tiers: [], drafts: false },
    },
  ];
}
