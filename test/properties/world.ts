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
  /** Whom user tokens speak for: somebody who has asked things already. */
  endUser: { id: number; externalId: string };
  /** Of that somebody, whose account is linked, and of somebody new; made when all have signed in. */
  userTokens: { linkedToken: string; newToken: string };
  /** Of a sign-in that the provider is to answer. */
  ssoState: string;
}

export interface World {
  sides: [Side, Side];
  pdf: Uint8Array;
  /** Raw secrets that no answer may repeat. */
  secrets: string[];
}

/** Two organizations that have everything an organization can have, each thing with a word of its own. */
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
