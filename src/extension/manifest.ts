/** The languages of src/extension/browser/texts; the browser takes the first where it has none of them. */
export const languages = ['en', 'es', 'de'] as const;
export type Language = (typeof languages)[number];

/** The words that the browser itself shows, which it takes from `_locales`. */
export interface ManifestWords {
  name: string;
  description: string;
  /** Of the button in the toolbar. */
  action: string;
}

export const iconSizes = [16, 32, 48, 128] as const;

const everywhere = ['http://*/*', 'https://*/*'];

/**
 * The manifest. It asks for no site: for the service's own address, and for the sites where people want to be recognised,
 * it asks when they say so. `hostAccess` is given from the beginning instead: for tests, which can't click on the
 * browser's own question.
 */
export function manifestOf(version: string, hostAccess: readonly string[] = []): object {
  const icons = Object.fromEntries(iconSizes.map((size) => [size, `icons/${size}.png`]));
  return {
    manifest_version: 3,
    name: '__MSG_name__',
    description: '__MSG_description__',
    default_locale: languages[0],
    version,
    minimum_chrome_version: '120',
    icons,
    action: { default_title: '__MSG_action__', default_icon: icons },
    background: { service_worker: 'worker.js' },
    side_panel: { default_path: 'panel.html' },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions: ['activeTab', 'scripting', 'sidePanel', 'storage'],
    ...(hostAccess.length > 0
      ? { host_permissions: hostAccess }
      : { optional_host_permissions: everywhere }),
    content_security_policy: {
      extension_pages: [
        ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"],
        ...['connect-src http: https:', "base-uri 'none'", "form-action 'none'"],
        "frame-ancestors 'none'",
      ].join('; '),
    },
  };
}

/** A file `_locales/<language>/messages.json`. */
export function localeOf(words: ManifestWords): object {
  return Object.fromEntries(
    Object.entries(words).map(([key, message]) => [key, { message: String(message) }]),
  );
}
