import assert from 'node:assert/strict';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The path that a redirect leads to; empty for another answer. */
  to: string;
}

/** A browser without JavaScript: it keeps cookies, and sends forms as browsers do. */
export interface PageClient {
  cookies: Map<string, string>;
  open(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a form with a file. */
  upload(
    path: string,
    file: { name: string; bytes: Uint8Array },
    fields?: Record<string, string>,
  ): Promise<Answer>;
  signIn(person: { email: string; password: string }): Promise<Answer>;
}

export function openPageClient(server: string): PageClient {
  const cookies = new Map<string, string>();
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${server}/backoffice${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), ...(init.headers as object) },
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (/Max-Age=0/.test(header)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, text: await response.text(), to: headers.get('location') ?? '' };
  };
  const client: PageClient = {
    cookies,
    open: (path, headers = {}) => call(path, { headers }),
    send: (path, form, headers = { 'sec-fetch-site': 'same-origin' }) =>
      call(path, { method: 'POST', body: new URLSearchParams(form), headers }),
    upload(path, { name, bytes }, fields = {}) {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.set(field, value);
      body.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
      return call(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    },
    async signIn({ email, password }) {
      const answer = await client.send('/sign-in', { do: 'signIn', email, password });
      assert.equal(answer.status, 303, answer.text);
      return answer;
    },
  };
  return client;
}
