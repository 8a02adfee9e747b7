import { buildPdf } from '../pdf/build-pdf.js';
import type { TestApp } from '../support/test-app.js';
import { addKnowledge } from './world-knowledge.js';
import { addPeople, type Person } from './world-people.js';
import { addSignOn } from './world-sign-on.js';
import { addTalk } from './world-talk.js';
import { canarySource, WorldBuilder, type Kind } from './world-builder.js';

/** One organization of the world: the ids of its things by kind, its people and its credentials. */
export interface Side {
  organizationId: number;
  appId: number;
  things: Record<Kind, (string | number)[]>;
  people: Record<'admin' | 'admin2' | 'backoffice' | 'user' | 'user2' | 'disabled', Person>;
  keys: Record<'public' | 'authenticated' | 'revoked', string>;
  secret: string;
  /** The person of the user tokens, who has already asked questions. */
  endUser: { id: number; externalId: string };
  /** Tokens of that person, whose account is linked, and of a new person. They are made after all have signed in. */
  userTokens: { linkedToken: string; newToken: string };
  /** The state of a sign-in that waits for the provider. */
  ssoState: string;
}

export interface World {
  sides: [Side, Side];
  pdf: Uint8Array;
  /** Raw secrets that no answer may repeat. */
  secrets: string[];
}

/** Builds two organizations with things of every kind, each with a word of its own. */
export async function buildWorld(test: TestApp): Promise<World> {
  const secrets: string[] = [];
  const sides: Side[] = [];
  const newCanary = canarySource();
  for (const name of ['north', 'south']) {
    const builder = new WorldBuilder(test.app, name, newCanary);
    await builder.addOrganization();
    const people = await addPeople(builder);
    await addKnowledge(builder, people);
    const { keys, secret, endUser } = await addTalk(builder, people);
    const ssoState = await addSignOn(builder, people);
    secrets.push(secret, ...builder.secrets);
    sides.push({
      organizationId: builder.organizationId,
      appId: builder.appId,
      things: builder.things,
      people,
      keys,
      secret,
      endUser,
      userTokens: { linkedToken: '', newToken: '' },
      ssoState,
    });
  }
  const pdf = await buildPdf((document) => {
    document.addPage();
    document.fontSize(11).text('The pump is oiled every month.', 72, 100, { lineBreak: false });
  });
  return { sides: sides as [Side, Side], pdf, secrets };
}
