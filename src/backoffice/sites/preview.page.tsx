import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import { publicPath } from '../../accounts/sso/sign-in-addresses.js';
import { attributeOf } from '../../chat/options.js';
import { scriptPath } from '../../widget/built-script.js';
import { page } from '../page.js';
import { lookFields, tagOptionsOf } from './look.js';

/**
 * A page with the real widget, for a frame of our own. No key is used, and no service is asked: a script answers in its
 * place (browser/preview.ts).
 */
export const previewPage = page({
  path: '/sites/preview',
  access: 'administer',
  query: z.object(lookFields),
  show(app, { say, language, signedIn, query, asset }) {
    const words = say.sites.preview;
    const options = Object.entries(tagOptionsOf(query));
    const attributes = options.map(([name, value]) => [attributeOf(name), value]);
    const document = (
      <html
        lang={language}
        data-appearance={signedIn?.preferences.appearance ?? undefined}
        data-organization={signedIn?.organization}
        data-question={words.question}
        data-answer={words.answer}
        data-source={words.source}
      >
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{words.frame}</title>
          <link rel="stylesheet" href={asset('style.css')} />
        </head>
        <body class="previewed">
          <main>
            <h1>{words.page}</h1>
            <p>{words.pageText}</p>
            <noscript>
              <p class="note">{words.needsScript}</p>
            </noscript>
          </main>
          <script src={asset('preview.js')} />
          <script
            {...Object.fromEntries(attributes)}
            data-api-key="preview"
            data-auto-open="true"
            src={`${publicPath(app.config)}${scriptPath('assistant.js')}`}
          />
        </body>
      </html>
    );
    return Promise.resolve({
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
        'X-Frame-Options': 'SAMEORIGIN',
        'Referrer-Policy': 'same-origin',
      },
      body: `<!doctype html>${renderToString(document)}`,
    });
  },
});
