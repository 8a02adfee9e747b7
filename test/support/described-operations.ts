import { operations } from '../../src/main/create-server.js';
import type { OpenApiDocument, OperationObject } from '../../src/platform/http/openapi/document.js';

/** Each declared operation by the name that specifications use: `GET /api/knowledge/:id`. */
export function declaredOperations(): string[] {
  return operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
}

/** The operations of a document by the same names. */
export function describedOperations(document: OpenApiDocument): Map<string, OperationObject> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, OperationObject] => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        operation,
      ]),
    ),
  );
}
