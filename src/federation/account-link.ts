/** An account of the organization, and what an app's host calls the same person: bound until that person ends it. */
export interface AccountLink {
  id: number;
  organizationId: number;
  appId: number;
  endUserId: number;
  userId: number;
  createdAt: string;
}

/** A link with what it joins, as its host describes the person. */
export interface DescribedLink extends AccountLink {
  appName: string;
  externalId: string;
  displayName: string | null;
  email: string | null;
}
