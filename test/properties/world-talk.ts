import { randomBytes } from 'node:crypto';
import { updateRequest } from '../../src/requests/update-request.js';
import type { WorldBuilder } from './world-builder.js';
import type { People } from './world-people.js';
import type { Side } from './world.js';

type Credentials = Pick<Side, 'keys' | 'secret' | 'endUser'>;

/** Adds conversations, requests, notifications, keys, webhooks, deliveries, usage and the audit log. */
export async function addTalk(builder: WorldBuilder, people: People): Promise<Credentials> {
  const { organizationId, appId } = builder;
  const own = { organization_id: organizationId };
  const externalId = builder.canary();
  const endUser = await builder.add('end_users', {
    ...{ ...own, app_id: appId, external_id: externalId },
    ...{ email: `${builder.canary()}@host.example`, display_name: builder.canary() },
  });
  builder.remember('endUser', endUser);
  await addAdministration(builder, people);
  const link = { app_id: appId, end_user_id: endUser, user_id: people.user.id };
  builder.remember('accountLink', await builder.add('account_links', { ...own, ...link }, false));
  for (const owner of [
    { user_id: people.user.id },
    { user_id: people.user2.id },
    { user_id: people.admin.id },
    { user_id: people.backoffice.id },
    { end_user_id: endUser },
    { visitor_id: builder.uuid() },
  ]) {
    const conversation = await addConversation(builder, owner);
    if ('end_user_id' in owner) builder.remember('widgetConversation', conversation);
    await addRequests(builder, owner, conversation);
  }
  await addDeliveries(builder);
  return { ...(await addKeys(builder)), endUser: { id: endUser, externalId } };
}

type Owner = { user_id?: number; end_user_id?: number; visitor_id?: string };

async function addConversation(builder: WorldBuilder, owner: Owner): Promise<string> {
  const id = builder.uuid();
  const own = { organization_id: builder.organizationId, app_id: builder.appId };
  const times = { created_at: builder.now(), updated_at: builder.now() };
  const channel = owner.user_id === undefined ? 'widget' : 'api';
  await builder.addNamed('conversations', {
    ...{ id, ...own, ...owner, channel, title: builder.canary(), ...times },
  });
  builder.remember('conversation', id);
  for (const role of ['user', 'assistant']) {
    const isAnswer = role === 'assistant';
    const message = await builder.add(
      'messages',
      {
        ...{ conversation_id: id, role, content: builder.canary(), status: 'complete' },
        ...{ language: 'en', mode: isAnswer ? 'extractive' : null, found: isAnswer ? 1 : null },
        page_url: `https://${builder.host}/${builder.canary()}`,
      },
      false,
    );
    if (!isAnswer) continue;
    builder.remember('answer', message);
    if (owner.end_user_id !== undefined) builder.remember('widgetAnswer', message);
    for (const entry_uuid of builder.things.entry.filter((one) => typeof one === 'string')) {
      const citation = { organization_id: builder.organizationId, entry_uuid };
      await builder.addNamed('message_citations', { ...citation, message_id: message });
    }
    const rating = { rating: 'down', comment: builder.canary() };
    await builder.addNamed('message_feedback', { message_id: message, ...rating, ...times });
    await builder.add(
      'usage_events',
      {
        ...{ ...own, message_id: message, channel, units: 7, user_id: owner.user_id ?? null },
        ...(owner.user_id === undefined
          ? { payer_organization_id: builder.organizationId }
          : { payer_user_id: owner.user_id }),
      },
      false,
    );
  }
  return id;
}

async function addRequests(builder: WorldBuilder, owner: Owner, about: string): Promise<void> {
  const own = { organization_id: builder.organizationId };
  const requester = {
    requester_user_id: owner.user_id ?? null,
    requester_end_user_id: owner.end_user_id ?? null,
    requester_visitor_id: owner.visitor_id ?? null,
  };
  for (const status of ['open', 'in_progress', 'dismissed', 'resolved']) {
    const id = await builder.add('knowledge_requests', {
      ...{ ...own, ...requester, app_id: builder.appId, question: builder.canary() },
      ...{ url: `https://${builder.host}/docs`, conversation_id: about },
      requester_email: `${builder.canary()}@mail.example`,
      ...(status === 'resolved' ? { status: 'open' } : { status, response: builder.canary() }),
    });
    builder.remember('request', id);
    if (owner.end_user_id !== undefined) builder.remember('widgetRequest', id);
    if (status !== 'resolved') continue;
    // The product resolves it, so that it also stores the notification in its own way.
    await updateRequest(builder.app, builder.operator, id, { status, response: builder.canary() });
  }
}

/** Adds deliveries of notifications that wait, have arrived or have failed. */
async function addDeliveries(builder: WorldBuilder): Promise<void> {
  const { db } = builder.app;
  const own = { organization_id: builder.organizationId };
  const notifications = await db
    .read<{ id: number; end_user_id: number | null }>('notifications')
    .where(own)
    .select('id', 'end_user_id');
  const inWidget = notifications.filter((one) => one.end_user_id !== null);
  builder.remember('widgetNotification', ...inWidget.map(({ id }) => id));
  builder.remember('notification', ...notifications.map(({ id }) => id));
  const deliveries = await db.read<{ id: number }>('outbox_deliveries').where(own).select('id');
  for (const [index, { id }] of deliveries.entries()) {
    const status = ['pending', 'delivered', 'dead'][index % 3];
    const failed = status === 'dead' ? { last_error: builder.canary(), attempts: 5 } : {};
    await db
      .write('outbox_deliveries')
      .where({ id })
      .update({ status, ...failed });
    builder.remember('delivery', id);
  }
}

async function addAdministration(builder: WorldBuilder, people: People): Promise<void> {
  const own = { organization_id: builder.organizationId };
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  builder.secrets.push(secret);
  for (const disabled of [0, 1]) {
    const url = `https://hooks.example/${builder.canary()}`;
    const hook = { ...own, url, disabled, secret };
    builder.remember('webhook', await builder.add('webhook_endpoints', hook));
  }
  await addSources(builder);
  await builder.add('quotas', { ...own, units_per_month: 1_000_000 });
  await builder.add('quotas', { user_id: people.user.id, units_per_month: 1_000_000 });
  for (const action of ['app.create', 'entry.update', 'user.disable']) {
    const [before, after] = [{ name: builder.canary() }, { name: builder.canary() }];
    const change = { action, subject: `${action.split('.')[0] ?? ''}:1` };
    await builder.add(
      'audit_log',
      {
        ...{ ...own, ...change, actor: `user:${people.admin.id}` },
        ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
      },
      false,
    );
  }
}

async function addSources(builder: WorldBuilder): Promise<void> {
  const own = { organization_id: builder.organizationId };
  const none = { published: 0, removed: 0 };
  const options = { include: [], exclude: [], depth: null, mostPages: null, requestsPerSecond: 1 };
  const counts = { ...{ new: 1, changed: 0, moved: 0, unchanged: 2, gone: 0, failed: 0 }, ...none };
  for (const kind of ['site', 'folder']) {
    const place = kind === 'site' ? `https://docs.example/${builder.canary()}` : '/srv/manuals';
    const id = await builder.add('sources', {
      ...{ ...own, app_id: builder.appId, name: builder.canary(), kind, place, policy: 'review' },
      options: JSON.stringify(options),
    });
    builder.remember('source', id);
    const leftOut = [{ address: builder.canary(), reason: 'http_status', detail: '500' }];
    const report = {
      leftOut,
      leftOutCounts: { http_status: 1 },
      documents: [],
      endedBy: null,
      note: null,
    };
    const run = await builder.add('source_runs', {
      ...{ ...own, source_id: id, status: 'completed', counts: JSON.stringify(counts) },
      report: JSON.stringify(report),
    });
    builder.remember('sourceRun', run);
    await builder.addNamed('source_pages', {
      ...{ source_id: id, address: builder.canary(), address_sha256: builder.hash(place) },
      ...{ is_page: true, depth: 1, checked_at: builder.now() },
    });
  }
}

async function addKeys(builder: WorldBuilder): Promise<Omit<Credentials, 'endUser'>> {
  const own = { organization_id: builder.organizationId, app_id: builder.appId };
  const secret = `wsk_secret_${randomBytes(32).toString('base64url')}`;
  const keys = { public: '', authenticated: '', revoked: '' };
  for (const name of ['public', 'authenticated', 'revoked'] as const) {
    keys[name] = `wk_live_${randomBytes(16).toString('hex')}`;
    const kind = name === 'revoked' ? 'public' : name;
    const id = await builder.add(
      'widget_keys',
      {
        ...{ ...own, key: keys[name], kind, name: builder.canary() },
        revoked_at: name === 'revoked' ? builder.now() : null,
      },
      false,
    );
    builder.remember('widgetKey', id);
    const given = name === 'public' ? secret : `wsk_secret_${builder.uuid()}`;
    const row = { widget_key_id: id, secret_hash: builder.hash(given) };
    await builder.add('widget_secrets', row, false);
  }
  return { keys, secret };
}
