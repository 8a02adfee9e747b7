/** A page of this server, as another address answered. */
export interface FetchedPage {
  url: string;
  /** False when the server refused what was asked. */
  isDone: boolean;
  document: Document;
}

/**
 * Fetches a page, or what a form leads to. Undefined when the connection is lost. XMLHttpRequest makes a document of
 * the answer, for which fetch would need `innerHTML`.
 */
export function fetchPage(url: string, form?: URLSearchParams): Promise<FetchedPage | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(form === undefined ? 'GET' : 'POST', url);
    request.responseType = 'document';
    request.onload = () => {
      const document = request.responseXML;
      const { responseURL, status } = request;
      resolve(document === null ? undefined : { url: responseURL, isDone: status < 400, document });
    };
    request.onerror = () => resolve(undefined);
    request.send(form ?? null);
  });
}
