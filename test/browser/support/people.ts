import type { Page } from 'playwright-core';
import { addUserToken } from '../../support/widget-keys.js';
import { widgetOn, type WidgetWorld } from './widget-world.js';

/** A user token as the host's backend gets it for one of its people. */
export function tokenFor(
  world: WidgetWorld,
  externalId: string,
  more: object = {},
): Promise<string> {
  return addUserToken(world.test, world.key, { externalId, ...more });
}

/** A page for somebody whom the host has signed in. */
export function pageOf(
  world: WidgetWorld,
  userToken: string | undefined,
  attributes: Record<string, string> = {},
): string {
  return world.put('/', { attributes: { 'user-token': userToken, ...attributes } });
}

/** The questions that the panel of a page shows. */
export function asked(page: Page): Promise<string[]> {
  return widgetOn(page).questions.allInnerTexts();
}
