import { permissions, type Permission, type Role } from '../../platform/actor.js';
import type { Texts } from '../texts/en.js';

export interface NavigationGroup {
  /** Undefined for the first links, which need no heading. */
  label: keyof Texts['groups'] | undefined;
  links: { path: string; text: (say: Texts) => string; permission: Permission }[];
}

/** Every entry of the navigation. A page that does not exist yet has none. */
const groups: NavigationGroup[] = [
  {
    label: undefined,
    links: [{ path: '/', text: (say) => say.nav.today, permission: 'knowledge.write' }],
  },
  {
    label: 'knowledge',
    links: [
      { path: '/documents', text: (say) => say.nav.documents, permission: 'knowledge.write' },
      { path: '/sources', text: (say) => say.sources.title, permission: 'knowledge.write' },
      { path: '/knowledge', text: (say) => say.nav.knowledge, permission: 'knowledge.write' },
      { path: '/questions', text: (say) => say.nav.questions, permission: 'requests.resolve' },
      { path: '/try', text: (say) => say.nav.tryIt, permission: 'knowledge.write' },
    ],
  },
  {
    label: 'happens',
    links: [
      {
        path: '/conversations',
        text: (say) => say.nav.conversations,
        permission: 'conversations.read_all',
      },
      {
        path: '/insights',
        text: (say) => say.nav.insights,
        permission: 'conversations.read_all',
      },
    ],
  },
  {
    label: 'setup',
    links: [
      { path: '/sites', text: (say) => say.sites.nav, permission: 'administer' },
      { path: '/people', text: (say) => say.people.title, permission: 'administer' },
      { path: '/usage', text: (say) => say.usage.title, permission: 'administer' },
      { path: '/webhooks', text: (say) => say.webhooks.title, permission: 'administer' },
      { path: '/changes', text: (say) => say.changes.title, permission: 'administer' },
      { path: '/system', text: (say) => say.system.title, permission: 'administer' },
    ],
  },
];

/** The links that a role may open, by group. Groups without such a link are left out. */
export function navigation(role: Role): NavigationGroup[] {
  const isOpen = (permission: Permission) =>
    (permissions[permission] as readonly Role[]).includes(role);
  return groups
    .map(({ label, links }) => ({
      label,
      links: links.filter(({ permission }) => isOpen(permission)),
    }))
    .filter(({ links }) => links.length > 0);
}
