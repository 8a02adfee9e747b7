import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import Provider, { type Configuration, type JWK } from 'oidc-provider';

export const clientId = 'assistant';
export const clientSecret = 'a secret of the client, long enough';

/** The validity of its ID tokens. */
export const idTokenSeconds = 120;

export interface TestPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/** A real OpenID provider on a loopback address, which signs every browser in as `person` at once. */
export interface TestIdentityProvider {
  issuer: string;
  /** The person at the browser; undefined if the person declines. */
  person: TestPerson | undefined;
  /** Changes its answers before they are sent, by their path. */
  spoil: Map<string, (body: Record<string, unknown>) => unknown>;
  /** The requested paths, in order. */
  asked: string[];
  /** Signs with another key from now on, under the same address. */
  rotateKey(): void;
  /** Goes through all pages like a browser, with cookies. Returns the address that leads away from the provider. */
  browse(address: string): Promise<string>;
  close(): Promise<void>;
}

/** `redirectUri`: with any number below it. */
export async function startIdentityProvider(redirectUri: string): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const test: TestIdentityProvider = {
    issuer,
    person: undefined,
    spoil: new Map(),
    asked: [],
    rotateKey: () => serve(),
    browse: (address) => browse(address, issuer),
    close: () => close(server),
  };
  let handle: ReturnType<Provider['callback']>;
  const serve = () => {
    handle = providerOf(test, redirectUri).callback();
  };
  serve();
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    test.asked.push(path);
    const spoil = test.spoil.get(path);
    if (spoil !== undefined) {
      const end = response.end.bind(response);
      response.end = ((body: Buffer | string) => {
        const changed = spoil(JSON.parse(body.toString()) as Record<string, unknown>);
        response.removeHeader('content-length');
        return end(typeof changed === 'string' ? changed : JSON.stringify(changed));
      }) as typeof response.end;
    }
    void handle(request, response);
  });
  return test;
}

/** The address to which the form of a page is sent. */
export function pressButton(page: string): string {
  const plain = (text = '') =>
    text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const address = new URL(plain(/<form method="get" action="([^"]*)"/.exec(page)?.[1]));
  for (const [, name, value] of page.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )) {
    address.searchParams.append(plain(name), plain(value));
  }
  return address.href;
}

/** Creating a key takes a tenth of a second. */
const madeKeys: KeyObject[] = [];

/** Returns two keys in turn, so that a provider can rotate its key. */
function nextKey(): KeyObject {
  const key =
    madeKeys.length < 2
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : madeKeys.shift();
  if (key === undefined) throw new Error('no key was made');
  madeKeys.push(key);
  return key;
}

function providerOf(test: TestIdentityProvider, redirectUri: string): Provider {
  const privateKey = nextKey();
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig' } as JWK;
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [jwk] },
    ttl: {
      ...{ AccessToken: 120, AuthorizationCode: 60, IdToken: idTokenSeconds },
      ...{ Grant: 600, Interaction: 600, Session: 600 },
    },
    cookies: { keys: ['of this test'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    renderError: (ctx, out) => {
      ctx.body = JSON.stringify(out);
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...test.person, sub }),
    }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId,
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(test.issuer, configuration);
  // Each provider has an address of its own, with a number that is not known yet.
  const { prototype } = provider.Client as unknown as {
    prototype: { redirectUriAllowed: (uri: string) => boolean };
  };
  prototype.redirectUriAllowed = (uri) =>
    uri.startsWith(`${redirectUri}/`) && /^\d+$/.test(uri.slice(redirectUri.length + 1));
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) {
      await next();
      return;
    }
    const { person } = test;
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'declined' }
        : { login: { accountId: person.sub } };
    await provider.interactionFinished(ctx.req, ctx.res, result);
    ctx.respond = false;
  });
  return provider;
}

async function browse(address: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { headers: { cookie }, redirect: 'manual' });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${at} ${text.slice(-700)}`);
    at = new URL(location, at).href;
    if (!at.startsWith(`${issuer}/`)) return at;
  }
  throw new Error('the provider leads in circles');
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
