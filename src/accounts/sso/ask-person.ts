import { html } from '../../platform/http/html.js';
import type { PageLanguage } from '../users/preferences.js';

interface AskTexts {
  title: string;
  who: (program: string, label: string) => string;
  warning: string;
  button: (label: string) => string;
}

const texts: Record<PageLanguage, AskTexts> = {
  en: {
    title: 'Sign in to a program on this machine?',
    who: (program, label) =>
      `A program that listens on ${program}, such as “assistant login”, wants to sign in as you by ${label}.`,
    warning: 'Continue only if you have just started it yourself. Otherwise close this window.',
    button: (label) => `Sign in by ${label}`,
  },
  es: {
    title: '¿Iniciar sesión en un programa de este equipo?',
    who: (program, label) =>
      `Un programa que escucha en ${program}, como «assistant login», quiere iniciar sesión en su nombre con ${label}.`,
    warning: 'Continúe solo si acaba de iniciarlo usted. Si no, cierre esta ventana.',
    button: (label) => `Iniciar sesión con ${label}`,
  },
  de: {
    title: 'In einem Programm auf diesem Rechner anmelden?',
    who: (program, label) =>
      `Ein Programm, das auf ${program} lauscht, etwa „assistant login“, möchte sich in Ihrem Namen über ${label} anmelden.`,
    warning:
      'Fahren Sie nur fort, wenn Sie es eben selbst gestartet haben. Sonst schließen Sie dieses Fenster.',
    button: (label) => `Über ${label} anmelden`,
  },
};

/** Allows the documentation's style sheet. Form targets are unrestricted, because the provider may be anywhere. */
export const askPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * A page that asks a person before a program on their machine receives a code: following somebody's link must not be
 * enough. Its button leads to the provider. Nobody else can produce that address, because its state is valid only in
 * this browser.
 */
export function askPerson(
  language: PageLanguage,
  { address, label, returnTo }: { address: string; label: string; returnTo: string },
): string {
  const say = texts[language];
  const url = new URL(address);
  const fields = [...url.searchParams].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${say.title}</title>
        <link rel="stylesheet" href="/api/docs/style.css" />
      </head>
      <body>
        <header><h1>${say.title}</h1></header>
        <main>
          <p>${say.who(new URL(returnTo).host, label)}</p>
          <p><strong>${say.warning}</strong></p>
          <form method="get" action="${url.origin + url.pathname}">
            ${fields}<button>${say.button(label)}</button>
          </form>
        </main>
      </body>
    </html>`;
  return page.markup;
}
