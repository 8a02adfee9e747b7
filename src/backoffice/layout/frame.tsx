import type { ComponentChildren } from 'preact';
import type { AssetName } from '../assets.js';
import type { Texts } from '../texts/en.js';
import { navigation, type NavigationGroup } from './navigation.js';
import { SearchBox } from './search-box.js';
import { useShown } from './shown.js';

export interface FrameProps {
  title: string;
  /** The sentence about the change that led here. */
  done: string | undefined;
  /** The path of the navigation's entry to mark. */
  section: string;
  organization: string | undefined;
  asset: (name: AssetName) => string;
  children: ComponentChildren;
}

/** The whole document: head, header, navigation, and the page in its `main`. */
export function Frame({ title, done, section, organization, asset, children }: FrameProps) {
  const { say, language, signedIn, at, fault, path } = useShown();
  const groups = signedIn === undefined ? [] : navigation(signedIn.user.role);
  const whole = [...(fault === undefined ? [] : [`${say.fault.title}:`]), title].join(' ');
  return (
    <html lang={language} data-appearance={signedIn?.preferences.appearance ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${whole} · ${say.product}`}</title>
        <link rel="icon" href={asset('icon.svg')} />
        <link rel="stylesheet" href={asset('style.css')} />
        <script type="module" src={asset('script.js')} />
      </head>
      <body class={signedIn === undefined ? 'alone' : undefined}>
        <a class="skip" href="#content">
          {say.skip}
        </a>
        <header class="top">
          <a class="brand" href={at('/')}>
            {say.product}
          </a>
          {organization === undefined ? null : <span class="organization">{organization}</span>}
          {groups.length === 0 || path === '/search' ? null : <SearchBox />}
          {signedIn === undefined ? null : <OwnMenu />}
        </header>
        {groups.length === 0 ? null : <Navigation groups={groups} section={section} />}
        <main id="content" tabIndex={-1}>
          {done === undefined ? null : (
            <p class="done" role="status">
              {done}
            </p>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

function OwnMenu() {
  const { say, signedIn, at } = useShown();
  return (
    <div class="own">
      <a href={at('/me')} title={say.nav.account}>
        {signedIn?.user.displayName}
      </a>
      <form method="post" action={at('/sign-out')}>
        <button class="quiet" name="do" value="signOut">
          {say.nav.signOut}
        </button>
      </form>
    </div>
  );
}

/** On narrow windows a menu that opens; a script opens it for good on wide ones, and so does the style sheet. */
function Navigation({ groups, section }: { groups: NavigationGroup[]; section: string }) {
  const { say } = useShown();
  return (
    <nav aria-label={say.nav.label}>
      <details class="menu">
        <summary>{say.menu}</summary>
        <Links groups={groups} section={section} say={say} />
      </details>
      <div class="side">
        <Links groups={groups} section={section} say={say} />
      </div>
    </nav>
  );
}

function Links({
  groups,
  section,
  say,
}: {
  groups: NavigationGroup[];
  section: string;
  say: Texts;
}) {
  const { at } = useShown();
  return groups.map(({ label, links }) => (
    <div key={label}>
      {label === undefined ? null : <h2>{say.groups[label]}</h2>}
      <ul>
        {links.map(({ path, text }) => (
          <li key={path}>
            <a href={at(path)} aria-current={path === section ? 'page' : undefined}>
              {text(say)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
}
