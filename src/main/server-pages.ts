/** The pages of the server that `assistant open` names. A new page is a line here. */
export const serverPages = [
  { name: 'home', path: '/', about: 'the start page' },
  { name: 'backoffice', path: '/backoffice', about: 'the pages for staff' },
  { name: 'docs', path: '/api/docs', about: 'the API, to read' },
  { name: 'openapi', path: '/api/openapi.json', about: 'the API, for programs' },
  { name: 'health', path: '/health/ready', about: 'whether the server is ready' },
] as const;
