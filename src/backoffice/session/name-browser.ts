/** Browsers and systems, by how they name themselves. The first match counts: most also name older ones. */
const browsers = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** The name and system of a browser, e.g. `Firefox, Linux`, from its header User-Agent. */
export function nameBrowser(userAgent: string): string {
  const find = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([mark]) => mark.test(userAgent))?.[1];
  return [find(browsers) ?? '?', find(systems)].filter(Boolean).join(', ');
}
