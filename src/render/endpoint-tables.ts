// The parameters of each endpoint.
import { screenshotParameters } from '../capture/parameters.ts';
import { ogParameters } from '../cards/parameters.ts';
import { contentParameters } from '../content/parameters.ts';
import { bodyParameters } from '../kernel/json-body.ts';
import type { Table } from '../kernel/parameters.ts';
import type { Endpoint } from './validated-request.ts';

/** Parameters as they were sent, by name: in a query, a JSON body, a form or on the command line. */
export type RequestParameters = ReadonlyMap<string, string>;

export const tables: Readonly<Record<Endpoint, Table>> = {
  screenshot: screenshotParameters,
  og: ogParameters,
  content: contentParameters,
};

/** The parameters in the JSON body of a POST. */
export const parametersIn = (endpoint: Endpoint, body: Readonly<Record<string, unknown>>): Map<string, string> =>
  bodyParameters(body, tables[endpoint], endpoint === 'og' ? 'variables' : 'warned');
