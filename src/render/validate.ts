// Parameters and a requester become a ValidatedRequest, or a 400 or 403.
import type { RequestParameters } from './endpoint-tables.ts';
import { type CardDependencies, validateOg } from './validate-card.ts';
import { type PageDependencies, validatePage } from './validate-page.ts';
import type { Endpoint, Requester, ValidatedRequest } from './validated-request.ts';

/** Throws what is wrong with the request, in the order that the contract fixes. A promise if the account's own template is read. */
export type Validate = (
  endpoint: Endpoint,
  parameters: RequestParameters,
  requester: Requester,
) => ValidatedRequest | Promise<ValidatedRequest>;

export const createValidator =
  (dependencies: PageDependencies & CardDependencies): Validate =>
  (endpoint, parameters, requester) =>
    endpoint === 'og'
      ? validateOg(parameters, requester, dependencies)
      : validatePage(endpoint, parameters, requester, dependencies);
