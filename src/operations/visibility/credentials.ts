import type { Actor, Visibility } from '../../platform/actor.js';

/**
 * What a credential is promised to reach. Written down here once more: a check that asked the code would always agree.
 */
export interface Credential {
  name: string;
  /** Who asks a page's knowledge with it. */
  reader: Actor;
  /** Who asks questions with it; undefined where it can't. */
  asker: Exclude<Actor, { kind: 'anonymous' }> | undefined;
  /** Tiers of published knowledge, at pages and in answers. */
  onPages: readonly Visibility[];
  inAnswers: readonly Visibility[];
  /** Through the lists of entries; undefined where they are closed. Drafts are for staff. */
  inLists: { tiers: readonly Visibility[]; drafts: boolean } | undefined;
}

const everything: readonly Visibility[] = ['public', 'authenticated', 'internal'];
const signedIn: readonly Visibility[] = ['public', 'authenticated'];
const open: readonly Visibility[] = ['public'];

/** Numbers that nothing has. */
const nobody = 0;
const elsewhere = -1;

/** Every kind of credential, on an app. */
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
      // Its questions at a page of this app are answered from what everybody sees there.
      name: 'another organization',
      reader: foreigner,
      asker: foreigner,
      onPages: open,
      inAnswers: open,
      inLists: { tiers: [], drafts: false },
    },
  ];
}
