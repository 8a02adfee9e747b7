import type { Readable } from 'node:stream';
import type { ComponentChildren } from 'preact';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { User } from '../accounts/users/accounts.repository.js';
import type { PageLanguage, Preferences } from '../accounts/users/preferences.js';
import type { Actor, Permission } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { AppError, ErrorCode, FieldProblem, Reason } from '../platform/errors.js';
import type { Upload } from '../platform/http/receive-upload.js';
import type { CamelKeys } from '../platform/wire-names.js';
import type { AssetName } from './assets.js';
import type { Texts } from './texts/en.js';
import type { DoneCode } from './texts/texts.js';

/** The person who is signed in. */
export interface SignedIn {
  user: User;
  /** The organization's name. */
  organization: string;
  preferences: Preferences;
  /** Names the session, and grants nothing. */
  family: string;
  /** True when they signed in, or typed their password again, a short time ago. */
  isProved: boolean;
}

/** A form that was refused, to be shown again with what was typed. */
export interface Fault {
  /** A sentence that says what to do. */
  message: string;
  code: ErrorCode;
  reason: Reason | undefined;
  problems: readonly FieldProblem[];
  /** The name of the action that was refused. */
  action: string;
  /** The typed values, by the names of the fields. */
  values: Readonly<Record<string, string>>;
}

export interface PageRequest<P, Q> {
  actor: Actor;
  /** Identifies the caller again, for an answer that takes long. Refuses when the session or the right has ended. */
  identify: () => Promise<Actor>;
  /** Undefined only on pages that anyone may open. */
  signedIn: SignedIn | undefined;
  /** In the person's language. */
  say: Texts;
  language: PageLanguage;
  params: P;
  query: Q;
  /** Set when the page is shown again because its form was refused. */
  fault: Fault | undefined;
  /** The address of a built file. */
  asset: (name: AssetName) => string;
  ctx: Context;
}

/** A page of the backoffice, inside its frame. */
export interface View {
  /** The thing that the page is about; the frame adds the section and the product. */
  title: string;
  body: ComponentChildren;
  /** True when it shows a secret: it is then sent unpacked, so that its size tells nothing about it. */
  isSecret?: boolean;
  /** The address of the list above it, marked in the navigation. Default: the page's own address. */
  section?: string;
  /** Where it shows a page of a list: an address beyond the last page leads to the last one. */
  list?: { page: number; total: number };
  /**
   * Parts that are sent as soon as they are there, in the place of `Coming` in the body. It never throws, because the page
   * has begun.
   */
  coming?: AsyncIterable<ComponentChildren>;
}

/** Another page to open. */
export interface Redirect {
  /** Default: the page itself. */
  to?: string;
  /** True for a whole address, or a path of this server. Otherwise `to` is a path below /backoffice. */
  isWhole?: boolean;
  /** The sentence that the next page shows. */
  done?: DoneCode | undefined;
}

/** A file, events, or data for the script, not a page. The headers contain its type. */
export interface Sent {
  status?: number;
  headers: Record<string, string>;
  body: Readable | Buffer | string | null;
}

/** The action of a form. */
export type Action<P extends z.ZodType = z.ZodType, F extends z.ZodType = z.ZodType> = Asked<P, F> &
  (
    | { done?: undefined; act: Act<P, F, View | Redirect | Sent> }
    // The page is shown again, with this sentence.
    | { done: DoneCode; act: Act<P, F, unknown> }
  );

type Act<P extends z.ZodType, F extends z.ZodType, T> = (
  app: App,
  request: PageRequest<CamelKeys<z.output<P>>, unknown> & { form: CamelKeys<z.output<F>> },
) => Promise<T>;

interface Asked<P extends z.ZodType, F extends z.ZodType> {
  /** The schema of the page's parameters, where the action needs them. */
  params?: P;
  /** Left out of a form without fields. */
  form?: F;
  /**
   * Set when it asks for one's own password: `lately` unless that was typed a short time ago, for changes of roles, tokens,
   * keys and passwords; `always` for what can't be undone.
   */
  asksPassword?: 'lately' | 'always';
}

/** The action of a form with a file. A browser sends it as `multipart/form-data` to the same address. */
export interface FileAction<F extends z.ZodType = z.ZodType> {
  /** The name of the form, as of other actions. */
  name: string;
  /** The field with the file. */
  field: string;
  maxBytes: (app: App) => number;
  tooLarge: (app: App) => AppError;
  form: F;
  act(
    app: App,
    request: PageRequest<unknown, unknown> & { form: CamelKeys<z.output<F>>; file: Upload },
  ): Promise<View | Redirect>;
}

/** Who may open a page: anyone, everybody who is signed in (`staff`), or the roles with a right. */
export type PageAccess = 'anyone' | 'staff' | Permission;

/**
 * A page: what a GET shows, and what its forms do by POST to the same address. A form names its action in the field
 * `do`. A GET changes nothing. A POST ends in a redirect, unless its result must be seen only once.
 */
export interface Page<P extends z.ZodType = z.ZodType, Q extends z.ZodType = z.ZodType> {
  /** Below /backoffice, in the router's form: `/documents/:id`. */
  path: string;
  access: PageAccess;
  params?: P;
  /** Unknown parameters of an address are ignored. */
  query?: Q;
  show(
    app: App,
    request: PageRequest<CamelKeys<z.output<P>>, CamelKeys<z.output<Q>>>,
  ): Promise<View | Redirect | Sent>;
  actions?: Record<string, Action>;
  upload?: FileAction;
}

/** Infers the types of the handlers from the schemas. Only servePage calls them, with values parsed by these schemas. */
export function page<P extends z.ZodType, Q extends z.ZodType>(declared: Page<P, Q>): Page {
  return declared;
}

/** Infers the types of an action's handler from its schemas. */
export function action<P extends z.ZodType, F extends z.ZodType>(declared: Action<P, F>): Action {
  return declared;
}

/** Infers the type of the form with a file from its schema. */
export function fileAction<F extends z.ZodType>(declared: FileAction<F>): FileAction {
  return declared;
}
