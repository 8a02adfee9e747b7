import { knowsTag } from '../platform/http/negotiate.js';
import { operation, type Operation } from '../platform/http/operation.js';
import {
  builtExtension,
  extensionPath,
  readBuiltExtension,
  type BuiltExtension,
} from './built-extension.js';

const headers = {
  'Content-Type': 'application/zip',
  'Content-Disposition': 'attachment; filename="assistant-extension.zip"',
  // It changes with the version of the service alone.
  'Cache-Control': 'public, max-age=300',
};

/** The browser extension for people to install, out of the zip at `path`; read at the first request, then kept. */
export function extensionOperations(path = builtExtension()): Operation[] {
  let kept: BuiltExtension | undefined;
  return [
    operation({
      method: 'get',
      path: extensionPath,
      tag: 'Service',
      summary: 'The browser extension, to be unpacked and loaded',
      access: 'anyone',
      replies: { 200: undefined, 304: undefined },
      produces: 'application/zip',
      replyHeaders: ['ETag'],
      refusals: ['extension_not_built'],
      async handle(_app, { ctx }) {
        const { bytes, etag } = (kept ??= await readBuiltExtension(path));
        const described = { ...headers, ETag: etag };
        if (knowsTag(ctx.get('If-None-Match'), etag)) return { status: 304, headers: described };
        return { status: 200, body: bytes, headers: described };
      },
    }),
  ];
}
