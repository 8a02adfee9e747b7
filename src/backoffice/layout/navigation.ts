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
      { path: '/knowledge', text: (say) => say.nav.knowledge, permission: 'knowledge.write' },
      { path: '/questions', text: (say) => say.nav.questions, permission: 'requests.resolve' },
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
];

/** What a role may open, without the groups in which that is nothing. */
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
